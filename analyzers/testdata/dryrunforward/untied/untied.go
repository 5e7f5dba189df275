// Package untied has types with a field for a dry run. Some methods of these types
// do not use the field.
package untied

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Addon is rendered in a dry run, and otherwise installed.
type Addon struct {
	DryRun bool
	c      client.Client
}

func (a *Addon) Install(ctx context.Context) error {
	if err := a.prepare(ctx); err != nil {
		return err
	}
	if a.DryRun {
		return nil
	}
	return a.c.Create(ctx, &appsv1.Deployment{})
}

func (a *Addon) prepare(ctx context.Context) error {
	if a.DryRun {
		return nil
	}
	return a.c.Create(ctx, &corev1.Namespace{})
}

// Upgrade calls a step of Install. It is not clear whether it has a dry run.
func (a *Addon) Upgrade(ctx context.Context) error {
	if err := a.prepare(ctx); err != nil {
		return err
	}
	return a.clean(ctx)
}

func (a *Addon) clean(ctx context.Context) error {
	return a.c.Delete(ctx, &batchv1.Job{}) // want `the write ignores a.DryRun, so a dry run deletes a Job; skip the write or pass client.DryRunAll, unless a dry run never gets here: nothing that leads to it looks at a.DryRun$`
}

// Syncer has one exported method. Each step checks the field itself.
type Syncer struct {
	DryRun bool
	c      client.Client
}

func (s *Syncer) Sync(ctx context.Context) error {
	if err := s.apply(ctx); err != nil {
		return err
	}
	return s.prune(ctx)
}

func (s *Syncer) apply(ctx context.Context) error {
	if s.DryRun {
		return nil
	}
	return s.c.Create(ctx, &corev1.ConfigMap{})
}

func (s *Syncer) prune(ctx context.Context) error {
	return s.c.Delete(ctx, &corev1.Secret{}) // want `the write ignores s.DryRun, so a dry run deletes a Secret; skip the write or pass client.DryRunAll$`
}

// Wiper checks the field before one of two writes.
type Wiper struct {
	DryRun bool
	c      client.Client
}

func (w *Wiper) Wipe(ctx context.Context) error {
	if err := w.all(ctx); err != nil {
		return err
	}
	if w.DryRun {
		return nil
	}
	return w.c.Delete(ctx, &corev1.Namespace{})
}

func (w *Wiper) all(ctx context.Context) error {
	return w.c.DeleteAllOf(ctx, &corev1.Pod{}) // want `the write ignores w.DryRun, so a dry run deletes every matching Pod; skip the write or pass client.DryRunAll$`
}
