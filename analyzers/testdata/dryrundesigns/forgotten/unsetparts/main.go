// Command unsetparts never sets the dry run of the worker.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/forgotten/worker"
	"k8s.io/client-go/kubernetes"
)

func main() {
	w := worker.New(kubernetes.NewForConfigOrDie(nil), worker.Config{Namespace: "a"})
	_ = w.Run(context.Background())
}
