// Package manager has the command that starts controllers.
package manager

import (
	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
)

func newManager(cfg *rest.Config) (*cobra.Command, ctrl.Manager, error) {
	cfg.WarningHandler = rest.NoWarnings{} // want `this client throws away the warnings of the API server: log them, with rest.WarningLogger{}`
	m, err := ctrl.NewManager(cfg, ctrl.Options{})
	return &cobra.Command{}, m, err
}
