// Command singleton gets all settings from a function of another package.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/singleton/config"
)

func main() {
	var c client.Client
	ctx := context.Background()
	remove(ctx, c)
	label(ctx, c)
}

func remove(ctx context.Context, c client.Client) {
	if config.Get().DryRun {
		return
	}
	_ = c.Delete(ctx, &corev1.Pod{})
}

func label(ctx context.Context, c client.Client) {
	_ = c.Update(ctx, &corev1.Pod{}) // want "dry run updates a Pod"
}
