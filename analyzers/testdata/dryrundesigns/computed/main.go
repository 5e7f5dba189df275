// Command computed computes the dry run from a flag with another name.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	apply := flag.Bool("apply", false, "make the changes")
	flag.Parse()
	dryRun := !*apply
	var c client.Client
	ctx := context.Background()
	if !dryRun {
		_ = c.Create(ctx, &corev1.Pod{})
	}
	Prune(ctx, c, flag.Arg(0))
}

// Prune deletes what is old.
func Prune(ctx context.Context, c client.Client, mode string) {
	dryRun := mode != "write"
	if !dryRun {
		_ = c.Delete(ctx, &corev1.Pod{})
	}
	label(ctx, c)
}

func label(ctx context.Context, c client.Client) {
	_ = c.Update(ctx, &corev1.Node{}) // want "the write does not get dryRun from Prune, so a dry run updates a Node"
}
