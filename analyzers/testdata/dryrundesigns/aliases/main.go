// Command aliases has a command that is called dry-run. The command creates a Job that makes
// the dry run.
package main

import (
	"context"

	"github.com/spf13/cobra"
	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var c client.Client

func aliases(use string) []string { return []string{use + "s"} }

func builder() *cobra.Command {
	const use = "dry-run"
	return &cobra.Command{
		Use:     use,
		Aliases: aliases(use),
		RunE: func(*cobra.Command, []string) error {
			return c.Create(context.Background(), &batchv1.Job{})
		},
	}
}

func main() {
	root := &cobra.Command{Use: "shop"}
	root.AddCommand(builder())
	_ = root.Execute()
}
