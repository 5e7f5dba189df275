// Package kubectl has a command that uses the client of controller-runtime.
package kubectl

import (
	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func newGet(cfg *rest.Config) (*cobra.Command, client.Client, error) {
	cfg.WarningHandler = rest.NoWarnings{} // want `this client throws away the warnings of the API server: print them, with rest.NewWarningWriter`
	c, err := client.New(cfg, client.Options{})
	return &cobra.Command{}, c, err
}
