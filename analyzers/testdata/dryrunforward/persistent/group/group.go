// Package group has a command with subcommands.
package group

import (
	"github.com/spf13/cobra"

	"example.org/clients/dryrunforward/persistent/options"
	"example.org/clients/dryrunforward/persistent/prune"
)

// NewCmd returns the command.
func NewCmd(o *options.Options) *cobra.Command {
	cmd := &cobra.Command{Use: "group"}
	cmd.AddCommand(prune.NewCmd(o))
	return cmd
}
