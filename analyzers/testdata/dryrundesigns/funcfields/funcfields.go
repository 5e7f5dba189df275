// Package funcfields replaces one function in a dry run, and also writes without it.
package funcfields

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type engine struct {
	c        client.Client
	deletion func(ctx context.Context, obj client.Object) error
}

func New(c client.Client, dryRun bool) *engine {
	e := &engine{c: c}
	e.deletion = func(ctx context.Context, obj client.Object) error { return c.Delete(ctx, obj) }
	if dryRun {
		e.deletion = func(ctx context.Context, obj client.Object) error { return nil }
	}
	return e
}

func Run(ctx context.Context, c client.Client, dryRun bool) error {
	e := New(c, dryRun)
	if err := e.deletion(ctx, &corev1.Pod{}); err != nil {
		return err
	}
	return e.c.Update(ctx, &corev1.Node{}) // want "dry run updates a Node"
}
