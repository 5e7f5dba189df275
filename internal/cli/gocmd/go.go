// Package gocmd implements the verb go.
package gocmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/nearest"
	"github.com/spf13/cobra"
)

type flags struct {
	settings.Flags

	directory     string
	allowDownload bool

	target  string
	tags    string
	tests   bool
	strict  bool
	options []string
	exclude []string

	fix  string
	diff bool
}

const goHelp = `Check Go code that uses Kubernetes APIs. kubevet reports
  - dry runs that write,
  - writes without a field manager,
  - misuse of server-side apply,
  - API versions that the target deprecates or removes, also in manifests in string
    literals and in files of go:embed.

Arguments are packages, as for the go command; the default is ./... In a workspace, but
outside of its modules, ./... means all modules below the directory.

Packages are read from source, and nothing is built: neither the compiler nor cgo runs.
kubevet reads the files that 'go list' reports, so build tags, GOOS, GOARCH, vendoring
and workspaces apply. The network is not used, and go.mod is not changed, even if
GOFLAGS, GOPROXY or GOPRIVATE allow it. If modules are missing, run 'go mod download'
first, or use --allow-download.

Findings in generated files are not reported. --tests adds those in test files.
A comment //kubevet:ignore RULE -- REASON suppresses findings. Settings come from
.kubevet.yaml as for 'kubevet lint'.

Exit status:
  0  no finding at or above --fail-on (with --diff: nothing to change)
  1  findings
  2  mistake in flags or configuration
  3  a package could not be analysed, or an import is missing, so that kubevet cannot
     see whether the package uses Kubernetes`

const goExamples = `  kubevet go
  kubevet go --tests --tags e2e ./...
  kubevet go --enable mixedmanager --option fieldmanager.calls=true ./...
  kubevet go --target 1.31..1.37 --disable all --enable removedapi,deprecatedapi
  kubevet go --strict --fail-on never -o sarif=kubevet.sarif ./...
  kubevet go --diff ./...
  kubevet go --fix ./...
  go vet -vettool="$(which kubevet)" ./...`

// Command returns the command `kubevet go`.
func Command(a *app.App) *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:     "go [flags] [PACKAGE]...",
		Short:   "Check Go code that uses Kubernetes APIs",
		Long:    goHelp,
		Example: goExamples,
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"./..."}, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Set = cmd.Flags().Changed
			return goVerb(cmd.Context(), a, f, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.directory, "directory", "C", "", "run as if started in this `directory`, as go -C does; it must be in the module of the packages")
	gocode.DownloadFlag(cmd, &f.allowDownload)
	flags.StringVar(&f.target, "target", "", "Kubernetes `version` or range that the code must work with, such as 1.31..1.37; default the minor of the module's k8s.io/client-go")
	flags.StringVar(&f.tags, "tags", "", "build `tags`, separated by commas")
	flags.BoolVar(&f.tests, "tests", false, "also check test files")
	f.ChoiceFlags(cmd, rules.SurfaceGo)
	flags.BoolVar(&f.strict, "strict", false, "run every rule that is not disabled, and check every call")
	flags.StringArrayVar(&f.options, "option", nil, "option of a rule, `rule.name=value`; may be repeated")
	f.OutputFlags(cmd, rules.SurfaceGo)
	flags.StringVar(&f.fix, "fix", settings.FixNone, "apply fixes; `which`: safe (the default) makes fixes that change nothing else; all also makes fixes that need a review")
	flags.Lookup("fix").NoOptDefVal = settings.FixSafe
	flags.BoolVar(&f.diff, "diff", false, "print what --fix would change, without changing it")
	flags.StringArrayVar(&f.exclude, "exclude", nil, "do not report in files and directories that match this `glob`; a glob without a slash matches at any depth")
	flags.BoolVar(&f.RequireReason, "require-reason", false, "report kubevet:ignore comments without a reason")
	f.ConfigFlags(cmd)
	app.Complete(cmd, "directory", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	app.Complete(cmd, "target", cobra.NoFileCompletions)
	app.Complete(cmd, "tags", cobra.NoFileCompletions)
	app.Complete(cmd, "exclude", cobra.NoFileCompletions)
	app.CompleteWords(cmd, "fix", []string{settings.FixSafe, settings.FixAll})
	app.Complete(cmd, "option", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return ruleOptions(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
	return cmd
}

// ruleOptions returns the options of the rules for Go code for shell completion:
// "rule.option=", a tab, and a description.
func ruleOptions() []string {
	var all []string
	for _, rule := range analyzers.All() {
		rule.Flags.VisitAll(func(f *flag.Flag) {
			// The option of unusedsuppression is the flag --require-reason.
			if rule.Name != "unusedsuppression" {
				all = append(all, rule.Name+"."+f.Name+"=\t"+f.Usage)
			}
		})
	}
	return all
}

// goVerb checks flags and configuration, analyzes the packages, and reports or fixes
// findings.
func goVerb(ctx context.Context, a *app.App, f *flags, patterns []string) error {
	c, err := settings.Configuration(a, &f.Flags)
	if err != nil {
		return app.Usage(err)
	}
	s, err := settings.New(a, rules.SurfaceGo, &f.Flags, c, f.strict)
	if err != nil {
		return app.Usage(err)
	}
	s.Exclude = f.exclude
	if s.Target, err = settings.MakeTarget(f.target, nil, nil, f.Set("target"), c); err != nil {
		return app.Usage(err)
	}
	options, err := goOptions(f, c)
	if err != nil {
		return app.Usage(err)
	}
	chosen := f.Set("target") || c.Target != ""
	var targets []string // options that the user did not set
	for name, value := range analyzers.Target(s.Target.Range.String()) {
		switch {
		case options[name] != "":
		case chosen:
			options[name] = value
		default:
			targets = append(targets, name)
		}
	}
	switch f.fix {
	case settings.FixNone, settings.FixSafe, settings.FixAll:
	default:
		return app.Usagef("unknown --fix %q: want %s%s", f.fix, config.OneOf([]string{settings.FixSafe, settings.FixAll}), nearest.Question(f.fix, []string{settings.FixSafe, settings.FixAll}))
	}
	if f.diff && f.fix == settings.FixNone {
		f.fix = settings.FixSafe
	}
	if f.fix != settings.FixNone && f.WriteBaseline {
		return app.Usagef("--fix and --write-baseline exclude each other: fix first, then write the baseline of what is left")
	}
	if info, err := os.Stat(a.Path(f.directory)); err != nil || !info.IsDir() {
		return app.Usagef("--directory %s: there is no such directory", quote.Name(f.directory))
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	if f.diff && len(f.Outputs) > 0 {
		return app.Usagef("--diff and --output exclude each other: --diff prints only the diff")
	}
	r, err := reporting.New(a, s, &f.Flags)
	if err != nil {
		return err
	}
	gocode.OptionsInUse.Lock()
	defer gocode.OptionsInUse.Unlock()
	restore, err := analyzers.Set(options)
	if err != nil {
		return app.Usage(err)
	}
	defer restore()
	g := &run{Run: r, flags: f, patterns: patterns}
	if !chosen {
		g.clientTarget = func(modules []lifecycle.Module) (lifecycle.Target, lifecycle.Origin) { return clientTarget(modules, c) }
	}
	for _, name := range targets {
		empty, err := analyzers.SetLater(name, func() string { return g.Target.Range.String() })
		if err != nil {
			return err
		}
		defer empty()
	}
	if options[webhookOption] == "" {
		empty, err := analyzers.SetLater(webhookOption, func() string { return g.webhooks(ctx) })
		if err != nil {
			return err
		}
		defer empty()
	}
	if f.diff {
		return g.diff(ctx)
	}
	return r.Do(func() (*rules.Summary, error) { return g.check(ctx) })
}

// clientTarget returns the target for the client-go version of a program, with the
// configured feature gates and APIs.
func clientTarget(modules []lifecycle.Module, c *config.Config) (lifecycle.Target, lifecycle.Origin) {
	target, origin := lifecycle.ClientTarget(modules)
	configured, err := settings.MakeTarget(target.Range.String(), nil, nil, true, c)
	if err != nil {
		// A configured gate does not exist in this minor. It is ignored, because no rule
		// for Go code depends on gates.
		return target, origin
	}
	return configured, origin
}

// goOptions returns the options of analyzers from flags and configuration.
func goOptions(f *flags, c *config.Config) (map[string]string, error) {
	known := map[string]bool{}
	var names []string
	for _, o := range ruleOptions() {
		name, _, _ := strings.Cut(o, "=")
		known[name] = true
		names = append(names, name)
	}
	options := map[string]string{}
	if f.strict {
		options = analyzers.Strict()
	}
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(c.Rules)) {
		for _, name := range slices.Sorted(maps.Keys(c.Rules[id].Options)) {
			value := c.Rules[id].Options[name]
			if !known[id+"."+name] {
				errs = append(errs, c.Errorf("rules."+id, "the rule has no option %s%s", name, nearest.Question(id+"."+name, names)))
				continue
			}
			options[id+"."+name] = value
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for _, o := range f.options {
		name, value, ok := strings.Cut(o, "=")
		if !ok {
			value = "true"
		}
		rule, option, _ := strings.Cut(name, ".")
		if id, ok := rules.Resolve(rule); ok {
			name = id + "." + option
		}
		if !known[name] {
			return nil, fmt.Errorf("--option: unknown option %q%s", name, nearest.Question(name, names))
		}
		options[name] = value
	}
	if f.tests {
		options["tests"] = "true"
	}
	return options, nil
}
