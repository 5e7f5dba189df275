// Command contextual stores the dry run in a context.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type key struct{}

func withDryRun(ctx context.Context, on bool) context.Context {
	return context.WithValue(ctx, key{}, on)
}

func isDryRun(ctx context.Context) bool {
	on, _ := ctx.Value(key{}).(bool)
	return on
}

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	var c client.Client
	ctx := withDryRun(context.Background(), *dryRun)
	_ = apply(ctx, c)
	_ = prune(ctx, c)
}

func apply(ctx context.Context, c client.Client) error {
	if isDryRun(ctx) {
		return nil
	}
	return c.Create(ctx, &corev1.Pod{})
}

func prune(ctx context.Context, c client.Client) error {
	return c.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}
