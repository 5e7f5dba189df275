// Command printed only prints the dry run.
package main

import (
	"context"
	"fmt"
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
	fmt.Println("dry run:", cfg.DryRun)
	var cs kubernetes.Interface
	_ = sweep.New(cs, cfg).Run(context.Background()) // want "the call of Run ignores cfg.DryRun, so a dry run deletes a ConfigMap"
}
