// Command parts has settings in which the settings of the worker are a part.
package main

import (
	"context"
	"os"

	"example.org/clients/dryrundesigns/forgotten/worker"
	"k8s.io/client-go/kubernetes"
)

type parts struct {
	worker worker.Config
	level  string
}

func collect() *parts {
	p := &parts{level: os.Getenv("LEVEL")}
	p.worker.DryRun = os.Getenv("DRY_RUN") == "true"
	return p
}

func main() {
	p := collect()
	println(p.level)
	w := worker.New(kubernetes.NewForConfigOrDie(nil), p.worker)
	_ = w.Run(context.Background()) // want "the call of Run ignores Config.DryRun .*, so a dry run deletes a Pod"
}
