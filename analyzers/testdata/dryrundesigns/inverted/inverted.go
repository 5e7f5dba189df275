// Package inverted stores the opposite of the dry run.
package inverted

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Config struct{ DryRun bool }

type runner struct {
	apply bool
	c     client.Client
}

func Run(ctx context.Context, c client.Client, cfg Config) error {
	r := &runner{apply: !cfg.DryRun, c: c}
	if err := r.pods(ctx); err != nil {
		return err
	}
	return r.secrets(ctx)
}

func (r *runner) pods(ctx context.Context) error {
	if !r.apply {
		return nil
	}
	return r.c.Delete(ctx, &corev1.Pod{})
}

func (r *runner) secrets(ctx context.Context) error {
	return r.c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
