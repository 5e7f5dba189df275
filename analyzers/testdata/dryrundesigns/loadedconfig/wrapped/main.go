// Package main gets a value that refuses writes in a dry run.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/loadedconfig/config"
	"example.org/clients/dryrundesigns/loadedconfig/janitor"
	"example.org/clients/dryrundesigns/loadedconfig/transport"
	"k8s.io/client-go/kubernetes"
)

func main() {
	cfg, err := config.Load()
	if err != nil {
		return
	}
	r := transport.New(cfg)
	ctx := context.Background()
	_ = r.Run(ctx)
	var cs kubernetes.Interface
	_ = janitor.New(cs, cfg).Run(ctx) // want "the call of Run ignores .*, so a dry run deletes a ConfigMap"
}
