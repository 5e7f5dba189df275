// Package quota implements hook.Quota without knowing it.
package quota

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Manager reserves quota in a ConfigMap.
type Manager struct{ c client.Client }

// New returns a Manager.
func New(c client.Client) *Manager { return &Manager{c} }

func (m *Manager) Reserve(ctx context.Context) error { return m.c.Update(ctx, &corev1.ConfigMap{}) }
func (m *Manager) Release(ctx context.Context) error { return m.c.Update(ctx, &corev1.ConfigMap{}) }

// Careful is a Manager that asks for the request.
type Careful struct{ Manager }

func (m *Careful) Reserve(ctx context.Context) error { // want Reserve:"asksDryRun"
	if req, err := admission.RequestFromContext(ctx); err != nil || req.DryRun != nil && *req.DryRun {
		return err
	}
	return m.c.Update(ctx, &corev1.ConfigMap{})
}

// Unused implements hook.Quota, but nobody uses it so.
type Unused struct{ c client.Client }

func (m *Unused) Reserve(ctx context.Context) error { return m.c.Update(ctx, &corev1.ConfigMap{}) }
func (m *Unused) Release(ctx context.Context) error { return nil }
