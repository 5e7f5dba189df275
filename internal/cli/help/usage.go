// Package help describes kubevet's commands and flags: as the output of --help, as manual
// pages, and as Markdown.
package help

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// width is the number of columns of the help.
const width = 100

// Plugin is the file name of kubevet as a plugin of kubectl.
const Plugin = "kubectl-kubevet"

// Install makes a root command and all commands below it print their flags in
// groups. program is what the user called: if it is the plugin of kubectl, usage and
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

// rename writes the calls in the texts of a command, and of those below it, as calls
// of the plugin.
func rename(cmd *cobra.Command) {
	cmd.Long = call.ReplaceAllString(cmd.Long, "${1}kubectl $2")
	cmd.Example = call.ReplaceAllString(cmd.Example, "${1}kubectl $2")
	for _, sub := range cmd.Commands() {
		rename(sub)
	}
}

// call matches calls of kubevet: at the start of an indented line, behind a pipe or
// &&, or in quotes.
var call = regexp.MustCompile(`(?m)((?:^  |[|&] |'))(kubevet [a-z])`)

// usage returns the usage of a command: how to call it, examples, commands, flags.
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
