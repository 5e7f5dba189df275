// Command flagsets has a flag set for each command.
package main

import (
	"context"
	"flag"
	"os"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	var c client.Client
	switch os.Args[1] {
	case "apply":
		apply(c, os.Args[2:])
	case "remove":
		remove(c, os.Args[2:])
	case "prune":
		prune(c, os.Args[2:])
	}
}

func apply(c client.Client, args []string) {
	set := flag.NewFlagSet("apply", flag.ExitOnError)
	dryRun := set.Bool("dry-run", false, "change nothing")
	_ = set.Parse(args)
	if !*dryRun {
		_ = c.Create(context.Background(), &corev1.Pod{})
	}
}

func remove(c client.Client, args []string) {
	set := flag.NewFlagSet("remove", flag.ExitOnError)
	_ = set.Parse(args)
	_ = c.Delete(context.Background(), &corev1.Pod{})
}

func prune(c client.Client, args []string) {
	set := flag.NewFlagSet("prune", flag.ExitOnError)
	dryRun := set.Bool("dry-run", false, "change nothing")
	_ = set.Parse(args)
	if *dryRun {
		println("would delete")
	}
	_ = c.Delete(context.Background(), &corev1.Secret{}) // want "dry run deletes a Secret"
}
