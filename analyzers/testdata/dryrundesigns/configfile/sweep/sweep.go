// Package sweep deletes old objects.
package sweep

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/configfile/config"
)

type Sweeper struct {
	c   client.Client
	cfg *config.Config
}

func New(c client.Client, cfg *config.Config) *Sweeper { return &Sweeper{c: c, cfg: cfg} }

func (s *Sweeper) Run(ctx context.Context) error {
	if err := s.pods(ctx); err != nil {
		return err
	}
	return s.secrets(ctx)
}

func (s *Sweeper) pods(ctx context.Context) error {
	if s.cfg.Simulate {
		return nil
	}
	return s.c.Delete(ctx, &corev1.Pod{})
}

func (s *Sweeper) secrets(ctx context.Context) error {
	return s.c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
