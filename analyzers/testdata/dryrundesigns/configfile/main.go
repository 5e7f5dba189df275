// Command configfile reads the dry run from a file.
package main

import (
	"context"
	"os"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/configfile/config"
	"example.org/clients/dryrundesigns/configfile/sweep"
)

func main() {
	cfg, err := config.Load(os.Args[1])
	if err != nil {
		panic(err)
	}
	var c client.Client
	s := sweep.New(c, cfg)
	if err := s.Run(context.Background()); err != nil {
		panic(err)
	}
}
