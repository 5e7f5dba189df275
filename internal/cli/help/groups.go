package help

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// group is a list of flags below one heading of the help.
type group struct {
	title string
	flags []string
}

// commonTitle is the title of the first group, which has the flags that most users need.
const commonTitle = "Flags used most"

// groups has the groups of flags, by the path of the command. For other commands, and for
// flags that all commands have, the heading is "Flags". Tests check that each flag is in
// one group, and that the first group has the commonTitle.
var groups = map[string][]group{
	"lint": {
		{commonTitle, []string{"target", "output", "fail-on", "fix", "diff", "old", "context", "cluster", "enable", "disable"}},
		{"Input", []string{"filename", "exclude", "no-gitignore", "follow-symlinks", "embedded", "no-scripts", "kubectl-version", "max-document-size"}},
		{"Target", []string{"feature-gates", "runtime-config", "target-versions", "additional-versions", "crd", "validate", "as", "as-group"}},
		{"Kustomize", []string{"no-kustomize", "load-restrictor", "enable-helm", "helm-command"}},
		{"Helm", []string{"no-helm", "values", "set", "set-string", "set-json", "set-file", "set-literal", "ci-values", "api-versions", "render-timeout"}},
		{"Cluster", []string{"kube-context", "kubeconfig", "request-timeout", "release-history"}},
		{"Fixes", []string{"fix-target"}},
		{"Report", []string{"output-file", "source-url", "category", "max-findings", "no-source", "color", "quiet", "verbose"}},
		{"Exit status", []string{"warnings-as-errors", "fail-on-unchecked", "pluto-exit-codes"}},
		{"Configuration and suppression", []string{"config", "no-config", "baseline", "write-baseline", "require-reason"}},
	},
	"go": {
		{commonTitle, []string{"directory", "target", "output", "fail-on", "fix", "diff", "enable", "disable", "tests", "strict"}},
		{"Input", []string{"tags", "exclude", "allow-download", "option"}},
		{"Report", []string{"output-file", "source-url", "category", "max-findings", "no-source", "color", "quiet", "verbose"}},
		{"Exit status", []string{"warnings-as-errors"}},
		{"Configuration and suppression", []string{"config", "no-config", "baseline", "write-baseline", "require-reason"}},
	},
	"audit": {
		{commonTitle, []string{"target", "output", "output-file", "group-by", "since", "user", "save", "load", "code", "follow"}},
		{"Filters", []string{"until", "release", "group", "agent", "source-ip", "pod", "verb", "api", "namespace", "name"}},
		{"Target", []string{"feature-gates", "runtime-config", "metrics"}},
		{"Fights", []string{"no-contention", "status-fights", "redact", "fight-min-reversals", "fight-window", "fight-answer"}},
		{"Scope", []string{"deprecated-only", "admission", "allow-download", "state", "workers"}},
		{"Report", []string{"top", "sort", "color", "quiet", "verbose"}},
		{"Exit status", []string{"fail-on", "warnings-as-errors"}},
	},
	"audit serve": {
		{commonTitle, []string{"listen", "tls-cert", "tls-key", "client-ca", "client-name", "state", "metrics-listen", "target", "output", "redact"}},
		{"Target", []string{"feature-gates", "runtime-config"}},
		{"Fights", []string{"status-fights", "fight-min-reversals", "fight-window", "fight-answer"}},
		{"Limits", []string{"max-body", "max-queue", "insecure"}},
	},
	"upgrade": {
		{commonTitle, []string{"from", "to", "audit", "code", "metrics", "cluster", "output", "output-file", "owner-label", "fail-on"}},
		{"Cluster", []string{"context", "kubeconfig", "request-timeout"}},
		{"Input", []string{"render-timeout", "allow-download"}},
		{"Compare with an earlier report", []string{"save", "since", "baseline"}},
		{"Report", []string{"source-url", "color", "quiet", "verbose"}},
		{"Configuration", []string{"config", "no-config"}},
	},
}

// section is a heading of the help with the flags below it.
type section struct {
	title string
	flags *pflag.FlagSet
}

// sections returns the visible flags of a command, grouped by heading. Flags without a
// group come last.
func sections(cmd *cobra.Command) []section {
	cmd.InitDefaultHelpFlag()
	var all []section
	grouped := map[string]bool{}
	for _, g := range groups[name(cmd)] {
		s := section{g.title, newSet(cmd)}
		for _, flag := range g.flags {
			f := cmd.Flags().Lookup(flag)
			if f == nil {
				panic("help: " + cmd.CommandPath() + " has no flag --" + flag)
			}
			s.flags.AddFlag(f)
			grouped[flag] = true
		}
		all = append(all, s)
	}
	rest := section{"Flags", newSet(cmd)}
	if len(all) > 0 {
		rest.title = "Other flags"
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !grouped[f.Name] {
			rest.flags.AddFlag(f)
		}
	})
	if rest.flags.HasAvailableFlags() {
		all = append(all, rest)
	}
	return all
}

// newSet returns an empty set of flags, which keeps the order of the command's set.
func newSet(cmd *cobra.Command) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	set.SetNormalizeFunc(cmd.Flags().GetNormalizeFunc())
	return set
}

// name returns the name of a command without the program, such as "audit diff".
func name(cmd *cobra.Command) string {
	if !cmd.HasParent() || !cmd.Parent().HasParent() {
		return cmd.Name()
	}
	return name(cmd.Parent()) + " " + cmd.Name()
}

// commands returns a command and all visible commands below it, in the order of the help.
func commands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, sub := range listedCommands(cmd) {
		all = append(all, commands(sub)...)
	}
	return all
}

// firstCommands has the commands that users need most, in the order of the help.
var firstCommands = []string{"lint", "go", "audit", "upgrade", "lsp", "rules", "api"}

// listedCommands returns the subcommands in the help of a command: firstCommands,
// followed by the other commands, sorted by name.
func listedCommands(cmd *cobra.Command) []*cobra.Command {
	subs := slices.DeleteFunc(slices.Clone(cmd.Commands()), func(sub *cobra.Command) bool {
		return !sub.IsAvailableCommand() && sub.Name() != "help" || sub.Hidden
	})
	slices.SortStableFunc(subs, func(a, b *cobra.Command) int { return rank(a) - rank(b) })
	return subs
}

// rank returns the index of a command in firstCommands. For other commands it returns the
// length of firstCommands.
func rank(cmd *cobra.Command) int {
	if i := slices.Index(firstCommands, cmd.Name()); i >= 0 {
		return i
	}
	return len(firstCommands)
}
