// Package shared offers options and clients to the rest of the module.
package shared

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Options has a manager.
func Options() metav1.UpdateOptions { return metav1.UpdateOptions{FieldManager: "shared"} }

// DryRun is for those who ask.
func DryRun(asked bool) []string {
	if asked {
		return []string{metav1.DryRunAll}
	}
	return nil
}

// With passes options on.
func With(opts metav1.UpdateOptions) metav1.UpdateOptions {
	opts.DryRun = []string{metav1.DryRunAll}
	return opts
}

// List has an owner.
func List(extra ...client.UpdateOption) []client.UpdateOption {
	return append([]client.UpdateOption{client.FieldOwner("shared")}, extra...)
}

// Own names the owner.
func Own(name string) client.UpdateOption { return client.FieldOwner(name) }

// Client builds one.
func Client(cfg *rest.Config) (client.Client, error) {
	c, err := client.New(cfg, client.Options{FieldOwner: "shared"}) // want `^build runtime fm=set=shared`
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Wrap wraps one.
func Wrap(c client.Client) client.Client { return client.NewDryRunClient(c) }

// Config names the program.
func Config() *rest.Config { return &rest.Config{UserAgent: "shared"} }

// ClientOptions has an owner.
func ClientOptions() client.Options { return client.Options{FieldOwner: "shared"} }
