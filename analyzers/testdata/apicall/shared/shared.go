// Package shared has options and clients for the rest of the module.
package shared

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Options returns options with a field manager.
func Options() metav1.UpdateOptions { return metav1.UpdateOptions{FieldManager: "shared"} }

// DryRun returns a list for dry runs if asked is true.
func DryRun(asked bool) []string {
	if asked {
		return []string{metav1.DryRunAll}
	}
	return nil
}

// With sets dry run in options and returns them.
func With(opts metav1.UpdateOptions) metav1.UpdateOptions {
	opts.DryRun = []string{metav1.DryRunAll}
	return opts
}

// List returns options with a field owner.
func List(extra ...client.UpdateOption) []client.UpdateOption {
	return append([]client.UpdateOption{client.FieldOwner("shared")}, extra...)
}

// Own returns an option with the field owner.
func Own(name string) client.UpdateOption { return client.FieldOwner(name) }

// Client creates a client.
func Client(cfg *rest.Config) (client.Client, error) {
	c, err := client.New(cfg, client.Options{FieldOwner: "shared"}) // want `^build runtime fm=set=shared`
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Wrap wraps a client.
func Wrap(c client.Client) client.Client { return client.NewDryRunClient(c) }

// Config returns a configuration with a user agent.
func Config() *rest.Config { return &rest.Config{UserAgent: "shared"} }

// ClientOptions returns options with a field owner.
func ClientOptions() client.Options { return client.Options{FieldOwner: "shared"} }
