// Package rollbacks undoes its work after an error.
package rollbacks

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Scaler struct {
	c      client.Client
	dryRun bool
}

func New(c client.Client, dryRun bool) *Scaler { return &Scaler{c: c, dryRun: dryRun} }

func (s *Scaler) Down(ctx context.Context, node *corev1.Node) error {
	if err := s.taint(ctx, node); err != nil {
		return err
	}
	if err := s.wait(ctx, node); err != nil {
		return errors.Join(err, s.untaint(ctx, node))
	}
	if s.dryRun {
		return nil
	}
	return s.c.Delete(ctx, node)
}

func (s *Scaler) taint(ctx context.Context, node *corev1.Node) error {
	if s.dryRun {
		return nil
	}
	node.Spec.Unschedulable = true
	return s.c.Update(ctx, node)
}

func (s *Scaler) untaint(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = false
	return s.c.Update(ctx, node) // want "dry run updates a Node"
}

func (s *Scaler) wait(ctx context.Context, node *corev1.Node) error {
	return s.c.Get(ctx, client.ObjectKeyFromObject(node), node)
}
