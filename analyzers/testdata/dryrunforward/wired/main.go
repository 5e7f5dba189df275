// Command wired connects implementations of other packages.
package main

import (
	"context"
	"flag"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrunforward/wired/kube"
	"example.org/clients/dryrunforward/wired/runtime"
)

var dryRun = flag.Bool("dry-run", false, "change nothing")

func build(c client.Client) *runtime.Runtime {
	return runtime.New(&runtime.Config{Store: kube.New(c), Client: c, DryRun: *dryRun})
}

func run(ctx context.Context, c client.Client) error {
	r := build(c)
	if err := r.Show(ctx); err != nil {
		return err
	}
	if err := r.Guarded(ctx); err != nil {
		return err
	}
	return r.Run(ctx) // want `the call of Run ignores .*dryRun.*, so a dry run creates a ConfigMap`
}

func main() { _ = run(context.Background(), nil) }
