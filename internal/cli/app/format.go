package app

import (
	"fmt"
	"slices"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules/nearest"
	"github.com/spf13/cobra"
)

// FormatFlag adds --output for a command with one output.
func FormatFlag(cmd *cobra.Command, value *string, byDefault string, formats ...string) {
	cmd.Flags().StringVarP(value, "output", "o", byDefault, "the `format`: "+config.OneOf(formats))
	CompleteWords(cmd, "output", formats)
}

// OneFormat refuses a format that is not among the known ones.
func OneFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return Usagef("unknown format %q: want %s%s", format, config.OneOf(known), nearest.Question(format, known))
}

// NoArguments refuses arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &UsageError{Usagef("%s takes no arguments, but got %q", cmd.CommandPath(), args[0]), cmd}
	}
	return nil
}

// Count says how many of a thing there are.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
