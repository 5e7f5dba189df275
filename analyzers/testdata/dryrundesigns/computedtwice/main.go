// Command computedtwice computes the dry run from values that it also checks elsewhere.
package main

import (
	"context"
	"flag"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	apply := flag.Bool("apply", false, "make the changes")
	flag.Parse()
	dryRun := !*apply
	fmt.Println("dry run:", dryRun)
	var c client.Client
	ctx := context.Background()
	if !dryRun {
		_ = c.Create(ctx, &corev1.Pod{})
	}
	if *apply {
		_ = c.Create(ctx, &corev1.ConfigMap{}) // no finding: the flag guards the write
	}
	Prune(ctx, c, flag.Arg(0))
	InBranch(ctx, c, flag.Arg(0), true)
}

// Prune deletes what is old.
func Prune(ctx context.Context, c client.Client, mode string) {
	dryRun := mode != "write"
	if !dryRun {
		_ = c.Delete(ctx, &corev1.Pod{})
	}
	switch mode {
	case "write":
		_ = c.Delete(ctx, &corev1.Secret{}) // no finding: the mode guards the write
	}
}

// InBranch has a dry run in one branch.
func InBranch(ctx context.Context, c client.Client, mode string, all bool) {
	if all {
		dryRun := mode != "write"
		if !dryRun {
			_ = c.Delete(ctx, &corev1.Pod{})
		}
	} else {
		_ = c.Update(ctx, &corev1.Node{}) // no finding: the dry run belongs to the other branch
	}
}
