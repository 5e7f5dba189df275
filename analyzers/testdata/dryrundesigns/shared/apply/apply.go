// Package apply checks the setting.
package apply

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/shared/config"
)

func Run(ctx context.Context, c client.Client) error {
	if config.DryRun {
		return nil
	}
	return c.Create(ctx, &corev1.Pod{})
}
