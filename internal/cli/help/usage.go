// Package help prints the commands and flags of kubevet as the output of --help, as
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

// Plugin is the file name of kubevet as a plugin of kubectl.
const Plugin = "kubectl-kubevet"

// Install makes root and all commands below it print their flags in groups. program is
// the name of the file that the user called. For the plugin of kubectl, usage and
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
	useKubectlPlugin(root)
}

// useKubectlPlugin replaces calls of kubevet by calls of `kubectl kubevet` in the texts
// of a command and of all commands below it.
func useKubectlPlugin(cmd *cobra.Command) {
	cmd.Long = kubevetCall.ReplaceAllString(cmd.Long, "${1}kubectl $2")
	cmd.Example = kubevetCall.ReplaceAllString(cmd.Example, "${1}kubectl $2")
	for _, sub := range cmd.Commands() {
		useKubectlPlugin(sub)
	}
}

// kubevetCall matches a call of kubevet at the start of an indented line, after a pipe or
// &&, or in quotes.
var kubevetCall = regexp.MustCompile(`(?m)((?:^  |[|&] |'))(kubevet [a-z])`)

// usage returns the syntax, the examples, the subcommands and the flags of a command.
func usage(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() && (cmd.HasParent() || !cmd.HasSubCommands()) {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	subs := listedCommands(cmd)
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
