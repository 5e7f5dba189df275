// Package main loads settings with a dry run and passes them to all its parts.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/loadedconfig/config"
	"example.org/clients/dryrundesigns/loadedconfig/engine"
	"example.org/clients/dryrundesigns/loadedconfig/janitor"
	"k8s.io/client-go/kubernetes"
)

func main() {
	cfg, _ := config.Load()
	var cs kubernetes.Interface
	e := engine.New(cs, cfg)
	j := janitor.New(cs, cfg)
	ctx := context.Background()
	_ = e.Run(ctx)
	_ = j.Run(ctx) // want "the call of Run ignores DRY_RUN, so a dry run deletes a ConfigMap"
}
