// Package help prints the commands and flags of kubevet: as the output of --help, as
// manual pages, and as Markdown.
package help

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// width is the maximal number of columns of the output of --help.
const width = 100

// Plugin is the file name of kubevet when it is installed as a plugin of kubectl.
const Plugin = "kubectl-kubevet"

// Install makes root and all commands below it print their flags in groups. program is
// the name of the file that the user called. If it is the plugin of kubectl, usage and
// examples show `kubectl kubevet`.
func Install(root *cobra.Command, program string) {
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := io.WriteString(cmd.OutOrStderr(), usage(cmd))
		return err
	})
	file := path.Base(strings.ReplaceAll(program, `\`, "/"))
	if strings.TrimSuffix(file, ".exe") != Plugin {
		return
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl " + root.Name()}
	rename(root)
}

// rename replaces calls of kubevet by calls of `kubectl kubevet`, in the texts of a
// command and of all commands below it.
func rename(cmd *cobra.Command) {
	cmd.Long = call.ReplaceAllString(cmd.Long, "${1}kubectl $2")
	cmd.Example = call.ReplaceAllString(cmd.Example, "${1}kubectl $2")
	for _, sub := range cmd.Commands() {
		rename(sub)
	}
}

// call matches a call of kubevet at the start of an indented line, after a pipe or &&, or
// in quotes.
var call = regexp.MustCompile(`(?m)((?:^  |[|&] |'))(kubevet [a-z])`)

// usage returns the usage of a command: its syntax, its examples, its subcommands and its
// flags.
func usage(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() && (cmd.HasParent() || !cmd.HasSubCommands()) {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	subs := visible(cmd)
	if len(subs) > 0 {
		fmt.Fprintf(&b, "  %s COMMAND [flags]\n", cmd.CommandPath())
	}
	if len(cmd.Aliases) > 0 {
		fmt.Fprintf(&b, "\nAlias:\n  %s\n", strings.Join(cmd.Aliases, ", "))
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if len(subs) > 0 {
		b.WriteString("\nCommands:\n")
		for _, sub := range subs {
			fmt.Fprintf(&b, "  %-*s  %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	for _, s := range sections(cmd) {
		fmt.Fprintf(&b, "\n%s:\n%s", s.title, s.flags.FlagUsagesWrapped(width))
	}
	if len(subs) > 0 {
		fmt.Fprintf(&b, "\n'%s COMMAND --help' describes a command.\n", cmd.CommandPath())
	}
	return b.String()
}
