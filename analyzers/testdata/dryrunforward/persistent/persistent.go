// Package persistent has a flag on the root command, for commands of other packages.
package persistent

import (
	"github.com/spf13/cobra"

	"example.org/clients/dryrunforward/persistent/apply"
	"example.org/clients/dryrunforward/persistent/group"
	"example.org/clients/dryrunforward/persistent/options"
	"example.org/clients/dryrunforward/persistent/prune"
)

// New returns the root command.
func New() *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	o := &options.Options{}
	o.AddFlags(root.PersistentFlags())
	root.AddCommand(
		apply.NewCmd(o),
		prune.NewCmd(o), // want `a command of prune.NewCmd ignores --dry-run, a flag of all commands, so a dry run deletes a Secret; let it look at the flag or refuse it`
		group.NewCmd(o), // want `a command of group.NewCmd ignores --dry-run, a flag of all commands, so a dry run deletes a Secret`
	)
	return root
}
