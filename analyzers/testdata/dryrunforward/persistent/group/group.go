// Package group has a command with others below it.
package group

import (
	"github.com/spf13/cobra"

	"example.org/clients/dryrunforward/persistent/options"
	"example.org/clients/dryrunforward/persistent/prune"
)

// NewCmd makes it.
func NewCmd(o *options.Options) *cobra.Command {
	cmd := &cobra.Command{Use: "group"}
	cmd.AddCommand(prune.NewCmd(o))
	return cmd
}
