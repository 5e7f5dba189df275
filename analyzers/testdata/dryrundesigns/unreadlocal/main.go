// Command unreadlocal declares a flag for a dry run, and never reads it.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var c client.Client

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	_ = dryRun
	ctx := context.Background()
	if err := c.List(ctx, &corev1.PodList{}); err != nil {
		println(err.Error())
	}
	if err := prune(ctx); err != nil {
		println(err.Error())
	}
	_ = c.Delete(ctx, &corev1.Secret{}, client.DryRunAll)
}

func prune(ctx context.Context) error {
	return c.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}

// unused is not called.
func unused(ctx context.Context) error { return c.Delete(ctx, &corev1.Node{}) }
