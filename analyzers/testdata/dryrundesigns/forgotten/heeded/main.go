// Command heeded uses a package that asks another one for the dry run.
package main

import (
	"context"
	"os"

	"example.org/clients/dryrundesigns/forgotten/config"
	"example.org/clients/dryrundesigns/forgotten/heeding"
	"example.org/clients/dryrundesigns/forgotten/sweep"
	"k8s.io/client-go/kubernetes"
)

func main() {
	cfg, err := config.Load(os.Args[1])
	if err != nil {
		panic(err)
	}
	var cs kubernetes.Interface
	_ = heeding.Run(context.Background(), cs, cfg)
	_ = sweep.New(cs, cfg).Run(context.Background())
}
