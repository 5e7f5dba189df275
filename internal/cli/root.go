package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/auditcmd"
	"github.com/kubevet/kubevet/internal/cli/gocmd"
	"github.com/kubevet/kubevet/internal/cli/help"
	"github.com/kubevet/kubevet/internal/cli/lintcmd"
	"github.com/kubevet/kubevet/internal/cli/lspcmd"
	"github.com/kubevet/kubevet/internal/cli/upgradecmd"
	"github.com/kubevet/kubevet/rules/nearest"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newRoot returns the root command with all verbs.
func newRoot(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "kubevet",
		Short: "Check manifests, Go code and audit logs against Kubernetes versions",
		Long: `kubevet checks Kubernetes manifests, Go code and audit logs. It needs no cluster.
  - Manifests: what an API server of the chosen version would refuse or warn about,
    in the server's own words.
  - Go code: calls to an API server that are wrong, and uses of old APIs.
  - Audit logs: clients of old APIs, and clients that overwrite each other's values.

  kubevet lint                            check all manifests below the working directory
  kubevet lint --target 1.31..1.37 apps/  check for each of these versions
  helm template . | kubevet lint -        check rendered manifests
  kubevet go ./...                        check the Go packages of a module
  kubevet audit audit.log                 report clients of old APIs, and clients that fight over values
  kubevet upgrade --from 1.31 --to 1.37 . report what an upgrade breaks, and who must act

Exit status:
  0  no finding of severity error
  1  findings of severity error; with --fail-on warning, warnings as well
  2  mistake in the call or in the configuration
  3  something could not be read, or the run was interrupted`,
		Version:       app.ProgramVersion().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          func(cmd *cobra.Command, args []string) error { return noVerb(a, cmd, args) },
		// Cobra calls this function after it has parsed the command line. Earlier errors
		// are mistakes in the arguments.
		PersistentPreRun: func(cmd *cobra.Command, _ []string) { a.Started, a.Command = true, cmd.CommandPath() },
	}
	root.SetVersionTemplate(app.ProgramVersion().Text())
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.AddCommand(lintcmd.Command(a), gocmd.Command(a), auditcmd.Command(a), upgradecmd.Command(a), lspcmd.Command(a), rulesCommand(a), apiCommand(a), versionCommand(a), help.Command(a))
	root.Flags().Bool("version", false, "print the version") // defined before cobra adds a --version flag with the short form -v
	root.SetHelpCommand(helpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, verb := range root.Commands() {
		if verb.Name() == "completion" {
			describeCompletion(verb)
		}
		if verb.HasSubCommands() && verb.RunE == nil && verb.Run == nil {
			verb.RunE = func(cmd *cobra.Command, args []string) error { return noSubcommand(cmd, args) }
			verb.Args = cobra.ArbitraryArgs
		}
	}
	help.Install(root, a.Program)
	return root
}

// noVerb returns the usage error for a missing or unknown verb. A missing verb must fail,
// because a script that forgot the verb would pass.
func noVerb(a *app.App, cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		cmd.SetOut(a.Stderr)
		if err := cmd.Help(); err != nil {
			return err
		}
		a.Status = app.StatusUsage
		return nil
	}
	name := args[0]
	if _, err := os.Stat(a.Path(name)); err == nil || name == "-" || strings.ContainsAny(name, `/\*`) {
		return app.Usagef("no command given: to lint %s, run '%s lint %s'", name, cmd.CommandPath(), name)
	}
	if name == "fix" {
		return app.Usagef("unknown command \"fix\": to fix manifests, run '%[1]s lint --fix'; to fix Go code, run '%[1]s go --fix'", cmd.CommandPath())
	}
	return noSubcommand(cmd, args)
}

// noSubcommand returns the usage error for a missing or unknown subcommand.
func noSubcommand(cmd *cobra.Command, args []string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if len(args) == 0 {
		return app.Usagef("%s needs one of: %s", cmd.CommandPath(), strings.Join(names, ", "))
	}
	return &app.UsageError{Err: fmt.Errorf("unknown command %q%s", args[0], nearest.Question(args[0], names)), Help: cmd}
}

// flagError adds the most similar known flag to pflag's error about an unknown flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return &app.UsageError{Err: err, Help: cmd}
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return &app.UsageError{Err: fmt.Errorf("unknown flag -%s", name), Help: cmd}
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	question := ""
	if meant := nearest.Of(name, known); meant != "" {
		question = " (did you mean --" + meant + "?)"
	}
	return &app.UsageError{Err: fmt.Errorf("unknown flag --%s%s", name, question), Help: cmd}
}

// helpCommand returns cobra's help command. Unlike in cobra, an unknown topic is an
// error.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]...",
		// Cobra adds --help, and with it "[flags]" in the usage line, only when it runs a
		// command. With this field, the usage line never has "[flags]".
		DisableFlagsInUseLine: true,
		Short:                 "Print the help of a command",
		Args:                  cobra.ArbitraryArgs,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if at, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				for _, sub := range at.Commands() {
					if sub.IsAvailableCommand() {
						names = append(names, sub.Name()+"\t"+sub.Short)
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			at, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noSubcommand(at, rest)
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}
