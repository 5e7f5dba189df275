// Command program has its flags in a struct.
package main

import (
	"context"
	"flag"
	"os"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	all  struct{ dryRun bool }
	kube client.Client
)

func main() {
	flag.BoolVar(&all.dryRun, "dry-run", false, "only print")
	flag.Parse()
	ctx := context.Background()
	if err := prepare(ctx); err != nil {
		os.Exit(1)
	}
	if all.dryRun {
		return
	}
	_ = kube.Create(ctx, &corev1.Pod{})
}

func prepare(ctx context.Context) error {
	return kube.Create(ctx, &corev1.Namespace{}) // want `the write ignores all.dryRun \(--dry-run\), so a dry run creates a Namespace`
}
