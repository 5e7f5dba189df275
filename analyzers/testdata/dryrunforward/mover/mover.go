// Package mover stores the dry run in a field during one method.
package mover

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type mover struct {
	dryRun bool
	client client.Client
}

func (m *mover) Move(ctx context.Context, dryRun bool) error {
	m.dryRun = dryRun
	if err := m.pause(ctx); err != nil {
		return err
	}
	return m.create(ctx)
}

func (m *mover) create(ctx context.Context) error {
	if m.dryRun {
		return nil
	}
	return m.client.Create(ctx, &corev1.Pod{})
}

func (m *mover) pause(ctx context.Context) error {
	if m.dryRun {
		return nil
	}
	return m.client.Update(ctx, &corev1.Node{})
}

// Restore passes on the field, so it may run as a dry run.
func (m *mover) Restore(ctx context.Context) error {
	if err := m.restore(ctx); err != nil {
		return err
	}
	return m.resume(ctx, m.dryRun)
}

func (m *mover) restore(ctx context.Context) error {
	return m.client.Create(ctx, &corev1.Secret{}) // want `the write ignores m.dryRun, so a dry run creates a Secret`
}

func (m *mover) resume(ctx context.Context, dryRun bool) error {
	if dryRun {
		return nil
	}
	return m.client.Update(ctx, &corev1.Node{})
}

// Drop never runs as a dry run.
func (m *mover) Drop(ctx context.Context) error { return m.drop(ctx) }

func (m *mover) drop(ctx context.Context) error {
	return m.client.Delete(ctx, &corev1.Secret{})
}
