// Package roots lets its clients spread. // want package:"5 nameless writes"
package roots

import (
	"context"

	"example.org/clients/fieldmanager/controllers"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Returned to a caller.
func newClient() (client.Client, error) {
	return client.New(ctrl.GetConfigOrDie(), client.Options{}) // want `one write through the client built here names no field manager`
}

func useReturned(ctx context.Context, pod *corev1.Pod) error {
	c, err := newClient()
	if err != nil {
		return err
	}
	return controllers.Other(ctx, c, pod)
}

// Returned to nobody who writes.
func newReader(cfg *rest.Config) (client.Reader, error) {
	return client.New(ctrl.GetConfigOrDie(), client.Options{})
}

func useReader(ctx context.Context, pod *corev1.Pod) error {
	r, err := newReader(nil)
	if err != nil {
		return err
	}
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

// Stored in the receiver.
type command struct{ client any }

func (c *command) complete() (err error) {
	c.client, err = client.New(ctrl.GetConfigOrDie(), client.Options{}) // want `one write through the client built here names no field manager`
	return err
}

func (c *command) run(ctx context.Context, pod *corev1.Pod) error {
	return controllers.Another(ctx, c.client.(client.Client), pod)
}

// Stored in a variable of the package, and found in a table that init fills.
var (
	shared any
	table  = map[string]func(context.Context, *corev1.Pod) error{}
)

func init() {
	table["third"] = third
}

func setup() (err error) {
	shared, err = client.New(ctrl.GetConfigOrDie(), client.Options{}) // want `one write through the client built here names no field manager`
	return err
}

func all(ctx context.Context, pod *corev1.Pod) error {
	_ = shared
	for _, f := range table {
		if err := f(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

func third(ctx context.Context, pod *corev1.Pod) error {
	return controllers.Third(ctx, shared.(client.Client), pod)
}
