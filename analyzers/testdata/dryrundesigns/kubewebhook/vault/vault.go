// Package vault checks the dry run.
package vault

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"example.org/clients/dryrundesigns/kubewebhook/provider"
)

type mutator struct{}

// New returns a mutator.
func New() provider.Mutator { return &mutator{} }

func (m *mutator) MutatePod(ctx context.Context, r provider.Request) error {
	if !r.DryRun {
		return r.Client.Create(ctx, &corev1.ConfigMap{})
	}
	return nil
}
