// Command shared sets a variable of another package, which two more packages import.
package main

import (
	"context"
	"flag"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/shared/apply"
	"example.org/clients/dryrundesigns/shared/config"
	"example.org/clients/dryrundesigns/shared/prune"
)

func main() {
	flag.BoolVar(&config.DryRun, "dry-run", false, "change nothing")
	flag.Parse()
	var c client.Client
	_ = apply.Run(context.Background(), c)
	_ = prune.Run(context.Background(), c) // want "dry run deletes a Pod"
}
