// Package output makes functions of commands.
package output

import (
	"context"

	"github.com/spf13/cobra"
)

// WrapRunE returns a function for a command.
func WrapRunE(run func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args) }
}
