// Package aws never checks the dry run.
package aws

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/kubewebhook/provider"
)

type mutator struct{}

// New returns a mutator.
func New() provider.Mutator { return &mutator{} }

func (m *mutator) MutatePod(ctx context.Context, r provider.Request) error {
	for range r.Pod.Spec.Containers {
		if err := m.pull(ctx, r.Client); err != nil {
			return err
		}
	}
	return nil
}

func (m *mutator) pull(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &corev1.Secret{})
}
