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
	_ = sweep(ctx, c, nil)
	_ = sweepOnce(ctx, c, nil)
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

func sweep(ctx context.Context, c client.Client, pods []corev1.Pod) error {
	for i := range pods {
		if isDryRun(ctx) {
			continue
		}
		if err := c.Delete(ctx, &pods[i]); err != nil {
			return err
		}
	}
	return stamp(ctx, c)
}

func stamp(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &corev1.ConfigMap{}) // want "dry run creates a ConfigMap"
}

func sweepOnce(ctx context.Context, c client.Client, pods []corev1.Pod) error {
	for i := range pods {
		if isDryRun(ctx) {
			return nil
		}
		if err := c.Delete(ctx, &pods[i]); err != nil {
			return err
		}
	}
	if isDryRun(ctx) {
		return nil
	}
	return c.Create(ctx, &corev1.Secret{})
}
