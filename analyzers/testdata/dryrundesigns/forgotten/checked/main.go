// Command checked chooses the client by the dry run.
package main

import (
	"context"
	"os"

	"example.org/clients/dryrundesigns/forgotten/config"
	"example.org/clients/dryrundesigns/forgotten/sweep"
	"k8s.io/client-go/kubernetes"
)

func main() {
	cfg, err := config.Load(os.Args[1])
	if err != nil {
		panic(err)
	}
	_ = sweep.New(client(cfg.DryRun), cfg).Run(context.Background())
}

func client(quiet bool) kubernetes.Interface {
	if quiet {
		return nil
	}
	return kubernetes.NewForConfigOrDie(nil)
}
