package help

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// manName returns the name of a command's manual page, such as "kubevet-audit-diff".
func manName(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return cmd.Name()
	}
	return cmd.Root().Name() + "-" + strings.ReplaceAll(name(cmd), " ", "-")
}

// manPage returns the manual page of a command for section 1. It has no date, so that one
// version of kubevet always creates the same page.
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q \"1\" \"\" \"kubevet\" \"User Commands\"\n", strings.ToUpper(manName(cmd)))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(cmd)), roff(cmd.Short))
	b.WriteString(".SH SYNOPSIS\n")
	if len(listedCommands(cmd)) > 0 {
		fmt.Fprintf(&b, ".B %s\n\\fICOMMAND\\fR [flags]\n", roff(cmd.CommandPath()))
	} else {
		fmt.Fprintf(&b, ".B %s\n", roff(cmd.UseLine()))
	}
	b.WriteString(".SH DESCRIPTION\n")
	verbatim(&b, description(cmd))
	if subs := listedCommands(cmd); len(subs) > 0 {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range subs {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
		}
	}
	for _, s := range sections(cmd) {
		fmt.Fprintf(&b, ".SH %s\n", strings.ToUpper(roff(s.title)))
		for _, f := range flags(s) {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR", roff(f.spelling))
			if f.value != "" {
				fmt.Fprintf(&b, " \\fI%s\\fR", roff(f.value))
			}
			fmt.Fprintf(&b, "\n%s\n", roff(f.usage))
		}
	}
	if cmd.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		verbatim(&b, cmd.Example)
	}
	b.WriteString(".SH SEE ALSO\n")
	b.WriteString(roff(strings.Join(relatedPages(cmd), ", ")) + "\n")
	return b.String()
}

// description returns the long description of a command, or the short one if there is no
// long one.
func description(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return cmd.Short + "."
	}
	return cmd.Long
}

// relatedPages returns the names of the manual pages of the command's parent and
// subcommands.
func relatedPages(cmd *cobra.Command) []string {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, manName(cmd.Parent())+"(1)")
	}
	for _, sub := range listedCommands(cmd) {
		pages = append(pages, manName(sub)+"(1)")
	}
	return pages
}

// verbatim writes a text without changing its line breaks.
func verbatim(b *strings.Builder, text string) {
	b.WriteString(".nf\n")
	for line := range strings.Lines(text) {
		b.WriteString(roff(strings.TrimSuffix(line, "\n")) + "\n")
	}
	b.WriteString(".fi\n")
}

// roff escapes a line of text for roff: backslashes, hyphens that must stay ASCII, and a
// first character that would start a roff request.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}
