// Package pods has types for the interfaces of package behind.
package pods

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Mutator writes.
type Mutator struct{ c client.Client }

// New returns a Mutator.
func New(c client.Client) *Mutator { return &Mutator{c} }

// Mutate writes a Secret.
func (m *Mutator) Mutate(ctx context.Context, pod *corev1.Pod) error {
	return m.c.Create(ctx, &corev1.Secret{})
}

// Auditor writes.
type Auditor struct{ c client.Client }

// Audit writes a Secret.
func (a *Auditor) Audit(ctx context.Context, pod *corev1.Pod) error {
	return a.c.Create(ctx, &corev1.Secret{})
}

// Counter writes.
type Counter struct{ c client.Client }

// Count writes a Pod.
func (m *Counter) Count(ctx context.Context) error { return m.c.Update(ctx, &corev1.Pod{}) }

// Printer does not write.
type Printer struct{}

// Count writes nothing.
func (Printer) Count(ctx context.Context) error { return nil }
