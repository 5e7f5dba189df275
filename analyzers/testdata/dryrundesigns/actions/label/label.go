// Package label has actions.
package label

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Label can be undone.
type Label struct{ C client.Client }

func (l Label) Do(ctx context.Context, node *corev1.Node) error   { return l.C.Update(ctx, node) }
func (l Label) Undo(ctx context.Context, node *corev1.Node) error { return l.C.Update(ctx, node) }

// Cordon cannot be undone.
type Cordon struct{ C client.Client }

func (c Cordon) Do(ctx context.Context, node *corev1.Node) error   { return c.C.Patch(ctx, node, nil) }
func (c Cordon) Undo(ctx context.Context, node *corev1.Node) error { return nil }
