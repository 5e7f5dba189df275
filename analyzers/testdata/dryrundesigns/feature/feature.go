// Package feature has the dry run in a struct inside its settings.
package feature

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Settings struct{ Features Features }

type Features struct {
	DryRun  bool `env:"DRY_RUN"`
	Verbose bool
}

type Controller struct {
	client   client.Client
	settings *Settings
}

func (c *Controller) Pods(ctx context.Context) error {
	if c.settings.Features.DryRun {
		return nil
	}
	return c.client.Delete(ctx, &corev1.Pod{})
}

func (c *Controller) Secrets(ctx context.Context) error {
	return c.client.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
