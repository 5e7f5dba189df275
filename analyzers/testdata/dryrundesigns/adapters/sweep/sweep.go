// Package sweep writes only through an interface.
package sweep

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

type Cluster interface {
	DeletePod(ctx context.Context, name string) error
	Cordon(ctx context.Context, node *corev1.Node) error
}

type Sweeper struct{ cluster Cluster }

func New(c Cluster) *Sweeper { return &Sweeper{c} }

func (s *Sweeper) Run(ctx context.Context) error {
	if err := s.cluster.Cordon(ctx, &corev1.Node{}); err != nil {
		return err
	}
	return s.cluster.DeletePod(ctx, "p")
}
