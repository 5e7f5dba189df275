// Command twoflags has two flags for a dry run. A message names the flag that the
// code around the write checks.
package main

import (
	"context"
	"flag"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	all   = flag.Bool("dry-run", false, "do nothing")
	prune = flag.Bool("prune-dry-run", false, "prune nothing")
	kube  client.Client
)

func main() {
	flag.Parse()
	ctx := context.Background()
	sweep(ctx)
	label(ctx)
	plain(ctx)
	nested(ctx, &options{allDryRun: *all, pruneDryRun: *prune})
}

func sweep(ctx context.Context) {
	if *prune {
		fmt.Println("would delete the Secret")
	}
	_ = kube.Delete(ctx, &corev1.Secret{}) // want `the write ignores prune \(--prune-dry-run\), so a dry run deletes a Secret`
}

func label(ctx context.Context) {
	switch {
	case *all:
		fmt.Println("would update the Node")
	}
	_ = kube.Update(ctx, &corev1.Node{}) // want `the write ignores all \(--dry-run\), so a dry run updates a Node`
	if *prune {
		fmt.Println("would delete the Secret")
	}
}

func plain(ctx context.Context) {
	_ = kube.Create(ctx, &corev1.Pod{}) // want `the write ignores all \(--dry-run\), so a dry run creates a Pod`
}

type options struct{ allDryRun, pruneDryRun bool }

func nested(ctx context.Context, o *options) {
	if o.allDryRun {
		fmt.Println("dry run")
	}
	if o.pruneDryRun {
		fmt.Println("would delete the Node")
	} else {
		fmt.Println("deletes the Node")
	}
	_ = kube.Delete(ctx, &corev1.Node{}) // want `the write ignores o.pruneDryRun \(--prune-dry-run\), so a dry run deletes a Node`
}
