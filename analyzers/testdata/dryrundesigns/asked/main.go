// Command asked gets the dry run from a function of another package.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/asked/settings"
)

func main() {
	var c client.Client
	ctx := context.Background()
	terminate(ctx, c)
	unlabel(ctx, c)
}

func terminate(ctx context.Context, c client.Client) {
	if settings.DryRun() {
		return
	}
	_ = c.Delete(ctx, &corev1.Pod{})
}

func unlabel(ctx context.Context, c client.Client) {
	_ = c.Update(ctx, &corev1.Pod{}) // want "dry run updates a Pod"
}
