// Command layered passes the dry run through its layers, but not to the last one.
package main

import (
	"context"

	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/layered/service"
)

func main() {
	var c client.Client
	var dryRun bool
	cmd := &cobra.Command{Use: "tool", RunE: func(cmd *cobra.Command, args []string) error {
		return service.New(c, service.Settings{DryRun: dryRun}).Sync(context.Background())
	}}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
	_ = cmd.Execute()
}
