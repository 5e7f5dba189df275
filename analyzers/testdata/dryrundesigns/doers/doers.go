// Package doers chooses by the dry run which implementation it uses for writes.
package doers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type doer interface {
	Do(ctx context.Context) error
}

type applier struct{ c client.Client }

func (a applier) Do(ctx context.Context) error { return a.c.Create(ctx, &corev1.Pod{}) }

type printer struct{}

func (printer) Do(ctx context.Context) error { println("would create"); return nil }

type pruner struct{ c client.Client }

func (p pruner) Prune(ctx context.Context) error {
	return p.c.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}

func Run(ctx context.Context, c client.Client, dryRun bool) error {
	var d doer = applier{c}
	if dryRun {
		d = printer{}
	}
	if err := d.Do(ctx); err != nil {
		return err
	}
	return pruner{c}.Prune(ctx)
}
