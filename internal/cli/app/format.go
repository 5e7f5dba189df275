package app

import (
	"slices"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules/nearest"
	"github.com/spf13/cobra"
)

// FormatFlag adds --output for a command with one output.
func FormatFlag(cmd *cobra.Command, value *string, byDefault string, formats ...string) {
	cmd.Flags().StringVarP(value, "output", "o", byDefault, "output `format`: "+config.OneOf(formats))
	CompleteWords(cmd, "output", formats)
}

// OneFormat returns an error for a format that is not known.
func OneFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return Usagef("unknown format %q: want %s%s", format, config.OneOf(known), nearest.Question(format, known))
}

// NoArguments returns an error for any argument.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &UsageError{Usagef("%s takes no arguments, but got %q", cmd.CommandPath(), args[0]), cmd}
	}
	return nil
}
