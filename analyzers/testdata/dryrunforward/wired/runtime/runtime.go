// Package runtime gets a store from the program.
package runtime

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrunforward/wired/store"
)

// Config has the values that the program passes.
type Config struct {
	Store  store.Store
	Client client.Client
	DryRun bool
}

// Runtime runs a task.
type Runtime struct {
	store  store.Store
	client client.Client
	dryRun bool
}

// New returns a Runtime.
func New(c *Config) *Runtime { return &Runtime{c.Store, c.Client, c.DryRun} }

// Run stores its result, also in a dry run.
func (r *Runtime) Run(ctx context.Context) error {
	if err := r.store.Put(ctx, "run"); err != nil {
		return err
	}
	if r.dryRun {
		return nil
	}
	return r.client.Create(ctx, &corev1.Pod{})
}

// Show only reads.
func (r *Runtime) Show(ctx context.Context) error {
	_, err := r.store.Has(ctx, "run")
	return err
}

// Guarded checks the dry run.
func (r *Runtime) Guarded(ctx context.Context) error {
	if r.dryRun {
		return nil
	}
	return r.store.Put(ctx, "run")
}
