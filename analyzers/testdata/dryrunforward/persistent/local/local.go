// Package local has the flag for one of its commands only.
package local

import (
	"github.com/spf13/cobra"

	"example.org/clients/dryrunforward/persistent/apply"
	"example.org/clients/dryrunforward/persistent/options"
	"example.org/clients/dryrunforward/persistent/prune"
)

// New makes the program.
func New() *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	o := &options.Options{}
	cmd := apply.NewCmd(o)
	o.AddFlags(cmd.Flags())
	root.AddCommand(cmd, prune.NewCmd(o))
	return root
}
