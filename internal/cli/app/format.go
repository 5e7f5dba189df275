package app

import (
	"slices"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules/nearest"
	"github.com/spf13/cobra"
)

// FormatFlag adds the flag --output to a command with a single output. byDefault is the
// default format.
func FormatFlag(cmd *cobra.Command, value *string, byDefault string, formats ...string) {
	cmd.Flags().StringVarP(value, "output", "o", byDefault, "output `format`: "+config.OneOf(formats))
	CompleteWords(cmd, "output", formats)
}

// OneFormat returns an error if format is not in known.
func OneFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return Usagef("unknown format %q: want %s%s", format, config.OneOf(known), nearest.Question(format, known))
}

// NoArguments returns a usage error if there are arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &UsageError{Usagef("%s takes no arguments, but got %q", cmd.CommandPath(), args[0]), cmd}
	}
	return nil
}
