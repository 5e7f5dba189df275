// Package store does not get the dry run.
package store

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Store struct{ c client.Client }

func New(c client.Client) *Store { return &Store{c} }

func (s *Store) Put(ctx context.Context) error { return s.c.Create(ctx, &corev1.Secret{}) }

func (s *Store) Prune(ctx context.Context) error { return s.c.Delete(ctx, &corev1.Secret{}) }
