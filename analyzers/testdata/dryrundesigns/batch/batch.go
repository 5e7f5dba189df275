// Package batch has a dry run for each item.
package batch

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Item struct {
	Name   string
	DryRun bool
}

func Guarded(ctx context.Context, c client.Client, items []Item) {
	for _, it := range items {
		if it.DryRun {
			println("would delete", it.Name)
			continue
		}
		_ = c.Delete(ctx, &corev1.Pod{})
	}
}

func Forgets(ctx context.Context, c client.Client, items []Item) {
	for _, it := range items {
		if it.DryRun {
			println("would delete", it.Name)
		}
		_ = c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
	}
}
