// Package main builds only one of two types whose methods ignore a dry run.
package main

import (
	"context"
	"flag"

	"example.org/clients/dryrundesigns/unbuilt/internal/steering"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	config, _ := rest.InClusterConfig()
	cs := kubernetes.NewForConfigOrDie(config)
	c := steering.NewController(cs, steering.Config{DryRun: *dryRun}) // want "the Controller built here ignores c.drainer.config.DryRun at steering.go:40 and 1 more place, so a dry run deletes a Secret"
	_ = c.Steer(context.Background())
}
