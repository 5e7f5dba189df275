// Command receivers leaves the dry run out of some values whose methods respect it.
package main

import (
	"github.com/spf13/cobra"
	"k8s.io/client-go/kubernetes"

	"example.org/clients/dryrundesigns/receivers/ops"
)

func main() {
	var dryRun bool
	var cs kubernetes.Interface
	root := &cobra.Command{Use: "migrate", RunE: func(cmd *cobra.Command, args []string) error {
		m := ops.Migrator{Client: cs, Name: args[0]}
		if err := m.Run(cmd.Context()); err != nil { // want "the call of Run does not set DryRun of its Migrator to dryRun .*, so a dry run deletes a Pod"
			return err
		}
		if err := (&ops.Migrator{Client: cs}).Run(cmd.Context()); err != nil { // want "the call of Run does not set DryRun of its Migrator to dryRun .*, so a dry run deletes a Pod"
			return err
		}
		right := ops.Migrator{Client: cs, Name: args[0], DryRun: dryRun}
		if err := right.Run(cmd.Context()); err != nil {
			return err
		}
		later := ops.Migrator{Client: cs, Name: args[0]}
		later.DryRun = dryRun
		if err := later.Run(cmd.Context()); err != nil {
			return err
		}
		quiet := ops.Migrator{Client: cs, Name: args[0]}
		quiet.Quiet()
		if err := quiet.Run(cmd.Context()); err != nil {
			return err
		}
		if dryRun {
			return nil
		}
		return (&ops.Migrator{Client: cs}).Run(cmd.Context())
	}}
	root.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
	_ = root.Execute()
}
