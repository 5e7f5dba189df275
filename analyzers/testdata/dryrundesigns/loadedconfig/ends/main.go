// Package main ends because of the dry run in its settings.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/loadedconfig/config"
	"example.org/clients/dryrundesigns/loadedconfig/engine"
	"example.org/clients/dryrundesigns/loadedconfig/janitor"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func main() {
	cfg, err := config.Load()
	if err != nil {
		return
	}
	if cfg.DryRun {
		println("dry run")
		return
	}
	config, _ := rest.InClusterConfig()
	cs := kubernetes.NewForConfigOrDie(config)
	ctx := context.Background()
	_ = engine.New(cs, cfg).Run(ctx)
	_ = janitor.New(cs, cfg).Run(ctx)
}
