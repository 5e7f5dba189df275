// Package service decides which objects are stored.
package service

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/layered/store"
)

type Settings struct{ DryRun bool }

type Service struct {
	store *store.Store
	set   Settings
}

func New(c client.Client, set Settings) *Service { return &Service{store.New(c), set} }

func (s *Service) Sync(ctx context.Context) error {
	if !s.set.DryRun {
		if err := s.store.Put(ctx); err != nil {
			return err
		}
	}
	return s.store.Prune(ctx) // want "dry run deletes a Secret"
}
