// Package kube implements the interface of package store.
package kube

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrunforward/wired/store"
)

// Store stores names in ConfigMaps.
type Store struct{ c client.Client }

// New returns a Store.
func New(c client.Client) *Store { return &Store{c} }

// Put creates a ConfigMap.
func (s *Store) Put(ctx context.Context, name string) error {
	return s.c.Create(ctx, &corev1.ConfigMap{})
}

// Has reads a ConfigMap.
func (s *Store) Has(ctx context.Context, name string) (bool, error) {
	err := s.c.Get(ctx, client.ObjectKey{Name: name}, &corev1.ConfigMap{})
	return err == nil, err
}

// Nothing stores nothing.
type Nothing struct{}

// Put does nothing.
func (Nothing) Put(ctx context.Context, name string) error { return nil }

// Has finds nothing.
func (Nothing) Has(ctx context.Context, name string) (bool, error) { return false, nil }

// Quiet returns a store that stores nothing.
func Quiet() store.Store { return Nothing{} }
