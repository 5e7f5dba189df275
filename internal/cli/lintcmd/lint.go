// Package lintcmd implements the verb lint.
package lintcmd

import (
	"context"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/rules"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const lintHelp = `Check Kubernetes manifests as an API server of the target version would.

Arguments are files, directories, globs, and - for standard input. Directories are
searched for .yaml, .yml and .json files that git does not ignore. The default is
the working directory. Kustomizations are built, and Helm charts (directories and
.tgz archives) are rendered. Findings name the place in their source files.

Findings go to standard output. A summary goes to standard error. It counts the
documents that were checked and the documents that were not. Settings come from
.kubevet.yaml in the working directory or the nearest parent, up to the root of the
repository. Flags override these settings.

Exit status:
  0  no finding at or above --fail-on (with --diff: nothing to change)
  1  findings (with --fix: findings remain)
  2  mistake in flags or configuration
  3  something could not be read`

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

// Command returns the command `kubevet lint`.
func Command(a *app.App) *cobra.Command {
	f := &lintrun.Flags{}
	cmd := &cobra.Command{
		Use:     "lint [flags] [PATH | -]...",
		Short:   "Check manifests in files, directories or standard input",
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
	flags.StringArrayVar(&f.Context, "context", nil, "`path` (file, directory or glob) with objects that the cluster has: custom resource definitions or schemas of them (JSON Schema, OpenAPI, or a location as for kubeconform), namespaces, webhooks, admission policies and their parameters. With --cluster, it names a context of the kubeconfig instead, unless --kube-context is set")
	flags.StringArrayVar(&f.CRDs, "crd", nil, "`path` to the same objects as --context; unlike --context, it is also a path with --cluster")
	flags.StringVar(&f.As, "as", "", "check as if this `user` applied the objects, because admission policies can read the user")
	flags.StringArrayVar(&f.AsGroups, "as-group", nil, "with --as, a `group` of the user; may be repeated")
	flags.StringVar(&f.Old, "old", "", "check each object as an update of the same object in this git `revision`, file or directory")
	flags.BoolVar(&f.Cluster, "cluster", false, "also check a running cluster, read-only: metadata, Helm releases and metrics; its version is the default target")
	flags.StringVar(&f.KubeContext, "kube-context", "", "with --cluster, use this `context` of the kubeconfig instead of the current one")
	flags.StringVar(&f.Kubeconfig, "kubeconfig", "", "with --cluster, read this kubeconfig `file` instead of kubectl's")
	flags.DurationVar(&f.RequestTimeout, "request-timeout", time.Minute, "with --cluster, the timeout of a request, as a `duration`")
	flags.StringVar(&f.Validate, "validate", "", "`mode` for unknown fields: strict, warn (the default) or ignore")
	flags.Lookup("validate").NoOptDefVal = "strict"
	flags.StringVar(&f.AdditionalVersions, "additional-versions", "", "`file` with further deprecated API versions, in the format of pluto")
	flags.StringToStringVar(&f.TargetVersions, "target-versions", nil, "`versions` of installed projects, such as cert-manager=1.18; the form of pluto, k8s=v1.33, also works")
	flags.Lookup("target-versions").DefValue = "" // otherwise the help shows "[]"
	f.ChoiceFlags(cmd, rules.SurfaceManifest)
	f.OutputFlags(cmd, rules.SurfaceManifest)

	flags.StringArrayVarP(&f.Filenames, "filename", "f", nil, "`path` to lint, as if it were an argument")
	flags.StringArrayVar(&f.Exclude, "exclude", nil, "skip files and directories that match this `glob`; a glob without a slash matches at any depth")
	flags.BoolVar(&f.NoGitignore, "no-gitignore", false, "also lint files that git ignores")
	flags.BoolVar(&f.FollowSymlinks, "follow-symlinks", false, "follow links that point out of a directory")
	kustomizeFlags(cmd, f)
	helmFlags(cmd, &f.Helm)
	flags.BoolVar(&f.Embedded, "embedded", false, "also check manifests embedded in ConfigMaps, Secrets and custom resources")
	flags.StringVar(&f.KubectlVersion, "kubectl-version", "", "`version` (1.33) or range (1.16..1.37) of the kubectl that scripts run; default the newest known")
	flags.BoolVar(&f.NoScripts, "no-scripts", false, "do not check shell scripts, Makefiles, Dockerfiles, Markdown and shell text in YAML")
	flags.BoolVar(&f.ReleaseHistory, "release-history", false, "also check superseded revisions of stored Helm releases")
	flags.BoolVar(&f.RequireReason, "require-reason", false, "report kubevet:ignore comments without a reason")
	flags.StringVar(&f.MaxDocumentSize, "max-document-size", lintrun.MaxDocumentSize, "skip documents above this `size`; the exit status is then 3")

	flags.StringVar(&f.Fix, "fix", settings.FixNone, "apply fixes; `which`: safe (the default) makes only the conversions that the API server makes itself; all also makes changes that need a review")
	flags.Lookup("fix").NoOptDefVal = settings.FixSafe
	flags.BoolVar(&f.Diff, "diff", false, "print what --fix would change, without changing it")
	flags.StringVar(&f.FixTarget, "fix-target", "", "fix for this Kubernetes `version` or range instead of --target")

	flags.BoolVar(&f.PlutoExitCodes, "pluto-exit-codes", false, "exit with the status of pluto: 1 for errors, 2 for deprecated APIs, 3 for removed APIs, 4 for APIs without a replacement")

	f.ConfigFlags(cmd)
	app.CompleteWords(cmd, "fix", []string{settings.FixSafe, settings.FixAll})
	app.Complete(cmd, "fix-target", settings.CompleteTarget)

	flags.SetNormalizeFunc(lintAliases)
	app.Complete(cmd, "exclude", cobra.NoFileCompletions)
	app.Complete(cmd, "max-document-size", cobra.NoFileCompletions)
	app.Complete(cmd, "kubectl-version", settings.CompleteTarget)
	app.Complete(cmd, "target-versions", app.ListOf(lintrun.ProjectVersions, cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp))
	app.CompleteFile(cmd, "additional-versions")
	app.CompleteFile(cmd, "filename")
	app.CompleteFile(cmd, "context")
	app.CompleteFile(cmd, "crd")
	app.CompleteFile(cmd, "old")
	app.CompleteFile(cmd, "kubeconfig")
	for _, name := range []string{"kube-context", "as", "as-group"} {
		app.Complete(cmd, name, cobra.NoFileCompletions)
	}
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

// lint checks the flags, finds the inputs, and reports or fixes findings.
func lint(ctx context.Context, a *app.App, f *lintrun.Flags, args []string) error {
	if a.Pluto = f.PlutoExitCodes; a.Pluto {
		a.Ending.SetStatus(reporting.PlutoError)
	}
	s, err := lintrun.NewSettings(a, f)
	if err != nil {
		return err
	}
	fixes, err := wantsFix(f)
	if err != nil {
		return err
	}
	live, err := lintrun.Connect(ctx, a, f, s)
	if err != nil {
		return err
	}
	r, err := lintrun.New(a, s, f)
	if err != nil {
		return err
	}
	if len(args) == 0 && live == nil {
		args = []string{"."}
		if app.IsPipe(a.Stdin) {
			s.Notes = append(s.Notes, "no path given: linting the working directory; to lint standard input, name it with -")
		}
	}
	in, err := r.Gather(ctx, args, live)
	if err != nil {
		return err
	}
	defer in.Close()
	if s.Old != "" {
		if err := r.StoreOld(ctx, args, in); err != nil {
			return err
		}
	}
	if fixes {
		return fix(ctx, r, f, in, args)
	}
	return r.Do(func() (*rules.Summary, error) {
		sum, err := r.Lint(ctx, in)
		r.Suggest(settings.FixNone)
		return sum, err
	})
}
