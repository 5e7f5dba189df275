// Package store writes for the handlers of other packages.
package store

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Store writes.
type Store struct{ Client client.Client }

// Mark updates a secret.
func (s *Store) Mark(ctx context.Context) error { return s.Client.Update(ctx, &corev1.Secret{}) }

// Keep writes an object of any kind.
func (s *Store) Keep(ctx context.Context, obj client.Object) error { return s.Client.Update(ctx, obj) }

// Add creates an object of any kind.
func (s *Store) Add(ctx context.Context, obj client.Object) error { return s.Client.Create(ctx, obj) }

// Maybe gets the dry run as an argument.
func (s *Store) Maybe(ctx context.Context, dryRun bool) error {
	if dryRun {
		return nil
	}
	return s.Client.Update(ctx, &corev1.Secret{})
}
