// Command flagset has commands with their own flags.
package main

import (
	"context"
	"flag"
	"os"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	prune = &pruneOptions{}
	kube  client.Client
)

type pruneOptions struct{ Try bool }

func main() {
	if len(os.Args) > 2 && os.Args[1] == "prune" {
		pruneMain(context.Background(), os.Args[2:])
		return
	}
	labelMain(context.Background())
}

// This function has its own set of flags.
func pruneMain(ctx context.Context, args []string) {
	fs := flag.NewFlagSet("prune", flag.ExitOnError)
	fs.BoolVar(&prune.Try, "prune-dry-run", false, "only print")
	_ = fs.Parse(args)
	sweep(ctx)
	if prune.Try {
		return
	}
	_ = kube.Delete(ctx, &corev1.Pod{})
}

func sweep(ctx context.Context) {
	_ = kube.Delete(ctx, &corev1.Secret{}) // want `the write ignores prune.Try \(--prune-dry-run\), so a dry run deletes a Secret`
}

func labelMain(ctx context.Context) {
	_ = kube.Update(ctx, &corev1.Node{})
}
