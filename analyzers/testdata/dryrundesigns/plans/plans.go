// Package plans creates a plan. In a dry run it prints the plan, and otherwise it executes the plan.
package plans

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type step struct {
	name string
	do   func(ctx context.Context) error
}

func Run(ctx context.Context, c client.Client, dryRun bool) error {
	steps, err := build(ctx, c)
	if err != nil {
		return err
	}
	for _, s := range steps {
		println(s.name)
		if dryRun {
			continue
		}
		if err := s.do(ctx); err != nil {
			return err
		}
	}
	return nil
}

func build(ctx context.Context, c client.Client) ([]step, error) {
	if err := c.Create(ctx, &corev1.Namespace{}); err != nil { // want "dry run creates a Namespace"
		return nil, err
	}
	return []step{{"delete", func(ctx context.Context) error { return c.Delete(ctx, &corev1.Pod{}) }}}, nil
}
