// Package main chooses the client by the dry run in its settings.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/loadedconfig/config"
	"example.org/clients/dryrundesigns/loadedconfig/engine"
	"example.org/clients/dryrundesigns/loadedconfig/janitor"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
)

func main() {
	cfg, err := config.Load()
	if err != nil {
		return
	}
	cs := client(cfg)
	ctx := context.Background()
	_ = engine.New(cs, cfg).Run(ctx)
	_ = janitor.New(cs, cfg).Run(ctx)
}

func client(cfg *config.Config) kubernetes.Interface {
	if cfg.DryRun {
		return fake.NewSimpleClientset()
	}
	config, _ := rest.InClusterConfig()
	return kubernetes.NewForConfigOrDie(config)
}
