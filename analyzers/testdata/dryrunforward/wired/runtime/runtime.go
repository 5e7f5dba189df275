// Package runtime is given a store.
package runtime

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrunforward/wired/store"
)

// Config says what it is given.
type Config struct {
	Store  store.Store
	Client client.Client
	DryRun bool
}

// Runtime runs.
type Runtime struct {
	store  store.Store
	client client.Client
	dryRun bool
}

// New makes one.
func New(c *Config) *Runtime { return &Runtime{c.Store, c.Client, c.DryRun} }

// Run keeps what it did, dry run or not.
func (r *Runtime) Run(ctx context.Context) error {
	if err := r.store.Put(ctx, "run"); err != nil {
		return err
	}
	if r.dryRun {
		return nil
	}
	return r.client.Create(ctx, &corev1.Pod{})
}

// Show only looks.
func (r *Runtime) Show(ctx context.Context) error {
	_, err := r.store.Has(ctx, "run")
	return err
}

// Guarded looks at the wish.
func (r *Runtime) Guarded(ctx context.Context) error {
	if r.dryRun {
		return nil
	}
	return r.store.Put(ctx, "run")
}
