// Package lintcmd is the verb lint.
package lintcmd

import (
	"context"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/fixrun"
	"github.com/kubevet/kubevet/rules"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const lintHelp = `Judge Kubernetes manifests as an API server of the target version would.

Arguments are files, directories (searched for .yaml, .yml and .json files,
without what git ignores), globs, and - for standard input. Without arguments
the working directory is searched. Kustomizations are built and Helm charts,
directories and .tgz archives, rendered; what is found is traced to its source.

Findings go to standard output, a summary of what was judged and what was not
to standard error. Settings come from .kubevet.yaml in the working directory or
the nearest parent up to the root of the repository; flags win over it.

Exit status: 0 if nothing at or above --fail-on was found (with --diff: nothing
to change), 1 if something was (with --fix: something is left),
2 for a mistake in flags or configuration, 3 if something could not be read.`

const lintExamples = `  kubevet lint
  kubevet lint --target 1.33 deploy/ 'charts/*/crds/*.yaml'
  kubevet lint --target 1.31..1.37 --warnings-as-errors .
  helm template ./chart | kubevet lint -
  kubevet lint -o text -o sarif=kubevet.sarif .
  kubevet lint --old origin/main --crd crds/ apps/
  kubevet lint -o kubectl --target 1.37 apps/
  kubevet lint --cluster --context prod --target 1.34
  kubevet lint --disable all --enable removedapi,deprecatedapi .
  kubevet lint --diff --target 1.37 deploy/
  kubevet lint --fix --target 1.37 deploy/
  kubevet lint --baseline kubevet-baseline.json --write-baseline .`

func Command(a *app.App) *cobra.Command {
	f := &lintrun.Flags{}
	cmd := &cobra.Command{
		Use:     "lint [flags] [PATH | -]...",
		Short:   "Judge manifests in files, directories or standard input",
		Long:    lintHelp,
		Example: lintExamples,
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Set = cmd.Flags().Changed
			return lint(cmd.Context(), a, f, append(f.Filenames, args...))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	settings.TargetFlags(cmd, &f.Target, &f.FeatureGates, &f.RuntimeConfig)
	flags.StringArrayVar(&f.Crds, "crd", nil, "a `path` with custom resource definitions that the cluster has; a file, a directory or a glob")
	flags.StringVar(&f.Old, "old", "", "judge objects as updates of those of a git `revision` of the linted paths, or of a file or directory")
	flags.BoolVar(&f.Cluster, "cluster", false, "also judge what a running cluster has: read-only, by metadata, Helm releases and metrics; its version is the default target")
	flags.StringVar(&f.Context, "context", "", "with --cluster, the `context` of the kubeconfig instead of the current one")
	flags.StringVar(&f.Kubeconfig, "kubeconfig", "", "with --cluster, the kubeconfig `file` instead of those that kubectl reads")
	flags.DurationVar(&f.RequestTimeout, "request-timeout", time.Minute, "with --cluster, how `long` a single request may take")
	flags.StringVar(&f.Validate, "validate", "", "what the server makes of fields that it does not `know`: strict, warn (the default) or ignore")
	flags.Lookup("validate").NoOptDefVal = "strict"
	flags.StringVar(&f.AdditionalVersions, "additional-versions", "", "a `file` with further deprecated API versions, in the format of pluto")
	flags.StringToStringVar(&f.TargetVersions, "target-versions", nil, "`versions` of components, as pluto has them: k8s=v1.33, or one that --additional-versions names")
	f.ChoiceFlags(cmd, rules.SurfaceManifest)
	f.OutputFlags(cmd, rules.SurfaceManifest)

	flags.StringArrayVarP(&f.Filenames, "filename", "f", nil, "a `path` to lint, as if it were an argument")
	flags.StringArrayVar(&f.Exclude, "exclude", nil, "leave out files and directories that match this `glob`; without a slash at any depth")
	flags.BoolVar(&f.NoGitignore, "no-gitignore", false, "lint files that git ignores, too")
	flags.BoolVar(&f.FollowSymlinks, "follow-symlinks", false, "follow links that lead out of a directory")
	kustomizeFlags(cmd, f)
	add(&f.Helm, cmd)
	flags.BoolVar(&f.Embedded, "embedded", false, "also judge manifests embedded in ConfigMaps, Secrets and custom resources")
	flags.StringVar(&f.KubectlVersion, "kubectl-version", "", "the `version` of kubectl, 1.33, or range, 1.16..1.37, that runs the scripts; the newest known by default")
	flags.BoolVar(&f.NoScripts, "no-scripts", false, "do not read shell scripts, Makefiles, Dockerfiles, Markdown and the shell text in YAML")
	flags.BoolVar(&f.ReleaseHistory, "release-history", false, "also judge the revisions of stored Helm releases that others have replaced, as history")
	flags.BoolVar(&f.RequireReason, "require-reason", false, "report kubevet:ignore comments without a reason")
	flags.StringVar(&f.MaxDocumentSize, "max-document-size", "32Mi", "do not judge documents above this `size`; the run is then incomplete")

	flags.StringVar(&f.Fix, "fix", settings.FixNone, "mend what can be mended: with =safe, or alone, what the server itself would make of it, with =all also what then needs a look")
	flags.Lookup("fix").NoOptDefVal = settings.FixSafe
	flags.BoolVar(&f.Diff, "diff", false, "show what --fix would change, and change nothing")
	flags.StringVar(&f.FixTarget, "fix-target", "", "mend for this Kubernetes `version` or range instead of --target")

	flags.BoolVar(&f.PlutoExitCodes, "pluto-exit-codes", false, "exit as pluto does: 2 for deprecated APIs, 3 for removed ones, 4 if one has no replacement, 1 for errors")

	f.ConfigFlags(cmd)
	app.CompleteWords(cmd, "fix", []string{settings.FixSafe, settings.FixAll})
	app.Complete(cmd, "fix-target", settings.CompleteTarget)

	flags.SetNormalizeFunc(lintAliases)
	app.Complete(cmd, "exclude", cobra.NoFileCompletions)
	app.Complete(cmd, "max-document-size", cobra.NoFileCompletions)
	app.Complete(cmd, "kubectl-version", settings.CompleteTarget)
	app.Complete(cmd, "target-versions", cobra.NoFileCompletions)
	app.CompleteFile(cmd, "additional-versions")
	app.CompleteFile(cmd, "filename")
	app.CompleteFile(cmd, "crd")
	app.CompleteFile(cmd, "old")
	app.CompleteFile(cmd, "kubeconfig")
	app.Complete(cmd, "context", cobra.NoFileCompletions)
	app.Complete(cmd, "request-timeout", cobra.NoFileCompletions)
	app.CompleteWords(cmd, "validate", config.ValidateWords())
	return cmd
}

func lintAliases(set *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "update-baseline" {
		return "write-baseline"
	}
	return settings.TargetAliases(set, name)
}

// lint is the verb: it settles everything that can be a mistake of the user's,
// then judges, reports and sums up.
func lint(ctx context.Context, a *app.App, f *lintrun.Flags, args []string) error {
	a.Pluto = f.PlutoExitCodes
	s, err := lintrun.NewSettings(a, f)
	if err != nil {
		return err
	}
	mends, err := fixrun.Wanted(f)
	if err != nil {
		return err
	}
	live, err := lintrun.Connect(ctx, a, f, s)
	if err != nil {
		return err
	}
	r, err := reporting.New(a, s, &f.Flags)
	if err != nil {
		return err
	}
	if len(args) == 0 && live == nil {
		args = []string{"."}
		if app.IsPipe(a.Stdin) {
			s.Notes = append(s.Notes, "no path given: linting the working directory; to lint standard input, name it with -")
		}
	}
	own := []string{s.ConfigFile, s.Baseline}
	for _, spec := range r.Specs {
		own = append(own, a.Path(spec.File))
	}
	in, err := lintrun.Gather(ctx, r, args, s, own, live)
	if err != nil {
		return err
	}
	defer in.Close()
	if s.Old != "" {
		if r.Stored, err = lintrun.StoreOld(ctx, a, args, in.Rendered.Files, s); err != nil {
			return err
		}
	}
	if mends {
		return fixrun.Fix(ctx, a, f, r, in, args)
	}
	return r.Do(func() (*rules.Summary, error) {
		sum, err := lintrun.Judge(ctx, r, in)
		r.Suggest()
		return sum, err
	})
}
