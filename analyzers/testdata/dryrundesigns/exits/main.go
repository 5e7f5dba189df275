// Command exits prints its plan and ends.
package main

import (
	"context"
	"flag"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	really := flag.Bool("yes", false, "do it")
	flag.Parse()
	var c client.Client
	ctx := context.Background()
	_ = c.Update(ctx, &corev1.Namespace{}) // want "dry run updates a Namespace"
	if *dryRun {
		println("would delete")
		os.Exit(0)
	}
	_ = c.Delete(ctx, &corev1.Pod{})
	if !*really {
		log.Fatal("nothing done")
	}
	_ = c.Delete(ctx, &corev1.Secret{})
}
