// Package persistent has commands of other packages that a flag of the root is for.
package persistent

import (
	"github.com/spf13/cobra"

	"example.org/clients/dryrunforward/persistent/apply"
	"example.org/clients/dryrunforward/persistent/group"
	"example.org/clients/dryrunforward/persistent/options"
	"example.org/clients/dryrunforward/persistent/prune"
)

// New makes the program.
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
