// Package optional has a pointer for the dry run.
package optional

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Policy struct {
	DryRun  *bool
	Archive bool
}

type Executor struct{ c client.Client }

func (e *Executor) Execute(ctx context.Context, p *Policy) error {
	if p.Archive {
		if err := e.archive(ctx); err != nil {
			return err
		}
	}
	if ptr.Deref(p.DryRun, false) {
		return nil
	}
	return e.c.Delete(ctx, &corev1.Pod{})
}

func (e *Executor) archive(ctx context.Context) error {
	return e.c.Create(ctx, &corev1.ConfigMap{}) // want "dry run creates a ConfigMap"
}
