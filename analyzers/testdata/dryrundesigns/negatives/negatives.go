// Package negatives has parameters and variables for the opposite of a dry run.
package negatives

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Options struct{ DryRun bool }

func Run(ctx context.Context, c client.Client, o Options) error {
	write := !o.DryRun
	for range 3 {
		if err := step(ctx, c, write); err != nil {
			return err
		}
	}
	s := &saver{c: c, enabled: write}
	return s.save(ctx)
}

func step(ctx context.Context, c client.Client, write bool) error {
	if err := c.Create(ctx, &corev1.Secret{}); err != nil { // want "dry run creates a Secret"
		return err
	}
	if !write {
		return nil
	}
	return c.Create(ctx, &corev1.Pod{})
}

type saver struct {
	c       client.Client
	enabled bool
}

func (s *saver) save(ctx context.Context) error {
	if s.enabled {
		if err := s.c.Update(ctx, &corev1.Pod{}); err != nil {
			return err
		}
	}
	return s.c.Update(ctx, &corev1.Node{}) // want "dry run updates a Node"
}
