// Command words chooses the action by its first argument. All actions share one set of flags.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var dryRun = flag.Bool("dry-run", false, "change nothing")

func main() {
	flag.Parse()
	var c client.Client
	ctx := context.Background()
	switch flag.Arg(0) {
	case "apply":
		apply(ctx, c)
	case "remove":
		remove(ctx, c)
	}
}

func apply(ctx context.Context, c client.Client) {
	if !*dryRun {
		_ = c.Create(ctx, &corev1.Pod{})
	}
}

func remove(ctx context.Context, c client.Client) {
	_ = c.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}
