package cli

import (
	"slices"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/nearest"
	"github.com/spf13/cobra"
)

// formatFlag adds --output for a command with one output.
func formatFlag(cmd *cobra.Command, value *string, byDefault string, formats ...string) {
	cmd.Flags().StringVarP(value, "output", "o", byDefault, "the `format`: "+config.OneOf(formats))
	completeWords(cmd, "output", formats)
}

// oneFormat refuses a format that is not among the known ones.
func oneFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return usagef("unknown format %q: want %s%s", format, config.OneOf(known), nearest.Question(format, known))
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{usagef("%s takes no arguments, but got %q", cmd.CommandPath(), args[0]), cmd}
	}
	return nil
}
