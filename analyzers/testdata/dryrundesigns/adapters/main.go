// Command adapters passes the dry run to the adapter that writes.
package main

import (
	"context"
	"os"

	"k8s.io/client-go/kubernetes"

	"example.org/clients/dryrundesigns/adapters/kube"
	"example.org/clients/dryrundesigns/adapters/sweep"
)

func main() {
	var cs kubernetes.Interface
	s := sweep.New(kube.New(cs, os.Getenv("DRY_RUN") == "1"))
	if err := s.Run(context.Background()); err != nil {
		panic(err)
	}
}
