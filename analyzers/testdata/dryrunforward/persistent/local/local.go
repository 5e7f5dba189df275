// Package local has the flag for only one of its commands.
package local

import (
	"github.com/spf13/cobra"

	"example.org/clients/dryrunforward/persistent/apply"
	"example.org/clients/dryrunforward/persistent/options"
	"example.org/clients/dryrunforward/persistent/prune"
)

// New returns the root command.
func New() *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	o := &options.Options{}
	cmd := apply.NewCmd(o)
	o.AddFlags(cmd.Flags())
	root.AddCommand(cmd, prune.NewCmd(o))
	return root
}
