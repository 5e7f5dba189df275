// Command rendered passes its settings to a template, which may read the dry run.
package main

import (
	"context"
	"os"
	"text/template"

	"example.org/clients/dryrundesigns/forgotten/config"
	"example.org/clients/dryrundesigns/forgotten/sweep"
	"k8s.io/client-go/kubernetes"
)

func main() {
	cfg, err := config.Load(os.Args[1])
	if err != nil {
		panic(err)
	}
	_ = template.Must(template.New("").Parse("{{.DryRun}}")).Execute(os.Stdout, cfg)
	var cs kubernetes.Interface
	_ = sweep.New(cs, cfg).Run(context.Background())
}
