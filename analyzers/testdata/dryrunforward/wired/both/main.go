// Command both has a store for dry runs.
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
	cfg := &runtime.Config{Store: kube.New(c), Client: c, DryRun: *dryRun}
	if *dryRun {
		cfg.Store = kube.Quiet()
	}
	return runtime.New(cfg)
}

func main() { _ = build(nil).Run(context.Background()) }
