// Package deferring takes a lock and releases it in a deferred function.
package deferring

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Migrator struct {
	Client client.Client
	DryRun bool
}

func (m *Migrator) Migrate(ctx context.Context) error {
	if err := m.lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.unlock(ctx) }()
	if m.DryRun {
		return nil
	}
	return m.Client.Update(ctx, &corev1.Secret{})
}

func (m *Migrator) lock(ctx context.Context) error {
	if m.DryRun {
		return nil
	}
	return m.Client.Create(ctx, &corev1.ConfigMap{})
}

func (m *Migrator) unlock(ctx context.Context) error {
	return m.Client.Delete(ctx, &corev1.ConfigMap{}) // want "dry run deletes a ConfigMap"
}
