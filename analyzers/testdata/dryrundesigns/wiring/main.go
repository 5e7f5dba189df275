// Command wiring builds values that need its dry run.
package main

import (
	"context"
	"flag"

	"example.org/clients/dryrundesigns/wiring/cleaner"
	"k8s.io/client-go/kubernetes"
)

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	cs := kubernetes.NewForConfigOrDie(nil)
	ctx := context.Background()

	_ = cleaner.New(cs, false).Clean(ctx, "a") // on purpose
	_ = cleaner.New(cs, *dryRun).Clean(ctx, "a")
	if !*dryRun {
		_ = cleaner.New(cs, false).Clean(ctx, "a")
	}

	forgetful, _ := cleaner.NewPruner(cleaner.Options{Client: cs}) // want "the call of NewPruner does not set DryRun of its Options to --dry-run, so a dry run deletes a Pod"
	_ = forgetful.Prune(ctx, "a")
	pruner, _ := cleaner.NewPruner(cleaner.Options{Client: cs, DryRun: *dryRun})
	_ = pruner.Prune(ctx, "a")

	println(cleaner.NewReader(cs, false).Count(ctx))
}
