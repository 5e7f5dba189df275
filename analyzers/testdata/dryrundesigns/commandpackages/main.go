// Command commandpackages has its commands in other packages. Each command gets
// all options.
package main

import (
	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/commandpackages/options"
	"example.org/clients/dryrundesigns/commandpackages/prune"
	"example.org/clients/dryrundesigns/commandpackages/restart"
)

func main() {
	var c client.Client
	o := &options.Options{Client: c}
	root := &cobra.Command{Use: "tool"}
	root.PersistentFlags().BoolVar(&o.DryRun, "dry-run", false, "change nothing")
	root.AddCommand(prune.New(o), restart.New(o)) // want "dry run updates a Pod"
	_ = root.Execute()
}
