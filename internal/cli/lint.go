package cli

import (
	"time"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// lintFlags are the flags of `kubevet lint` as they were given.
type lintFlags struct {
	target                      string
	featureGates, runtimeConfig []string
	commonFlags

	filenames      []string
	exclude        []string
	noGitignore    bool
	followSymlinks bool
	embedded       bool
	releaseHistory bool
	noScripts      bool
	kubectlVersion string
	plutoFlags
	maxDocumentSize string

	noKustomize    bool
	loadRestrictor string
	enableHelm     bool
	helmCommand    string
	helm           helmFlags

	cluster             bool
	context, kubeconfig string
	requestTimeout      time.Duration

	fix, fixTarget string
	diff           bool

	crds     []string
	old      string
	validate string
}

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

func (a *app) lintCommand() *cobra.Command {
	f := &lintFlags{}
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
			f.set = cmd.Flags().Changed
			return a.lint(cmd.Context(), f, append(f.filenames, args...))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	targetFlags(cmd, &f.target, &f.featureGates, &f.runtimeConfig)
	flags.StringArrayVar(&f.crds, "crd", nil, "a `path` with custom resource definitions that the cluster has; a file, a directory or a glob")
	flags.StringVar(&f.old, "old", "", "judge objects as updates of those of a git `revision` of the linted paths, or of a file or directory")
	flags.BoolVar(&f.cluster, "cluster", false, "also judge what a running cluster has: read-only, by metadata, Helm releases and metrics; its version is the default target")
	flags.StringVar(&f.context, "context", "", "with --cluster, the `context` of the kubeconfig instead of the current one")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "with --cluster, the kubeconfig `file` instead of those that kubectl reads")
	flags.DurationVar(&f.requestTimeout, "request-timeout", time.Minute, "with --cluster, how `long` a single request may take")
	flags.StringVar(&f.validate, "validate", "", "what the server makes of fields that it does not `know`: strict, warn (the default) or ignore")
	flags.Lookup("validate").NoOptDefVal = "strict"
	flags.StringVar(&f.additionalVersions, "additional-versions", "", "a `file` with further deprecated API versions, in the format of pluto")
	flags.StringToStringVar(&f.targetVersions, "target-versions", nil, "`versions` of components, as pluto has them: k8s=v1.33, or one that --additional-versions names")
	f.choiceFlags(cmd, rules.SurfaceManifest)
	f.outputFlags(cmd, rules.SurfaceManifest)

	flags.StringArrayVarP(&f.filenames, "filename", "f", nil, "a `path` to lint, as if it were an argument")
	flags.StringArrayVar(&f.exclude, "exclude", nil, "leave out files and directories that match this `glob`; without a slash at any depth")
	flags.BoolVar(&f.noGitignore, "no-gitignore", false, "lint files that git ignores, too")
	flags.BoolVar(&f.followSymlinks, "follow-symlinks", false, "follow links that lead out of a directory")
	kustomizeFlags(cmd, f)
	f.helm.add(cmd)
	flags.BoolVar(&f.embedded, "embedded", false, "also judge manifests embedded in ConfigMaps, Secrets and custom resources")
	flags.StringVar(&f.kubectlVersion, "kubectl-version", "", "the `version` of kubectl, 1.33, or range, 1.16..1.37, that runs the scripts; the newest known by default")
	flags.BoolVar(&f.noScripts, "no-scripts", false, "do not read shell scripts, Makefiles, Dockerfiles, Markdown and the shell text in YAML")
	flags.BoolVar(&f.releaseHistory, "release-history", false, "also judge the revisions of stored Helm releases that others have replaced, as history")
	flags.BoolVar(&f.requireReason, "require-reason", false, "report kubevet:ignore comments without a reason")
	flags.StringVar(&f.maxDocumentSize, "max-document-size", "32Mi", "do not judge documents above this `size`; the run is then incomplete")

	flags.StringVar(&f.fix, "fix", fixNone, "mend what can be mended: with =safe, or alone, what the server itself would make of it, with =all also what then needs a look")
	flags.Lookup("fix").NoOptDefVal = fixSafe
	flags.BoolVar(&f.diff, "diff", false, "show what --fix would change, and change nothing")
	flags.StringVar(&f.fixTarget, "fix-target", "", "mend for this Kubernetes `version` or range instead of --target")

	flags.BoolVar(&f.plutoExitCodes, "pluto-exit-codes", false, "exit as pluto does: 2 for deprecated APIs, 3 for removed ones, 4 if one has no replacement, 1 for errors")

	f.configFlags(cmd)
	completeWords(cmd, "fix", []string{fixSafe, fixAll})
	complete(cmd, "fix-target", completeTarget)

	flags.SetNormalizeFunc(lintAliases)
	complete(cmd, "exclude", cobra.NoFileCompletions)
	complete(cmd, "max-document-size", cobra.NoFileCompletions)
	complete(cmd, "kubectl-version", completeTarget)
	complete(cmd, "target-versions", cobra.NoFileCompletions)
	completeFile(cmd, "additional-versions")
	completeFile(cmd, "filename")
	completeFile(cmd, "crd")
	completeFile(cmd, "old")
	completeFile(cmd, "kubeconfig")
	complete(cmd, "context", cobra.NoFileCompletions)
	complete(cmd, "request-timeout", cobra.NoFileCompletions)
	completeWords(cmd, "validate", config.ValidateWords())
	return cmd
}

// targetFlags adds the flags that describe the server to judge against.
func targetFlags(cmd *cobra.Command, target *string, gates, runtime *[]string) {
	flags := cmd.Flags()
	flags.StringVarP(target, "target", "t", "", "the Kubernetes `version`, 1.33, or range, 1.31..1.37; the newest known by default (also --kubernetes-version)")
	flags.StringSliceVar(gates, "feature-gates", nil, "feature `gates` of the server that differ from its defaults: A=true,B=false")
	flags.StringSliceVar(runtime, "runtime-config", nil, "`APIs` that the server enables or disables: api/beta=true,...")
	flags.SetNormalizeFunc(targetAliases)
	complete(cmd, "target", completeTarget)
	complete(cmd, "feature-gates", listOf(gateNames, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	complete(cmd, "runtime-config", listOf(runtimeConfigNames, cobra.ShellCompDirectiveNoFileComp))
}

// targetAliases are the names that other tools have for --target.
func targetAliases(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "kubernetes-version", "kube-version", "k8s-version":
		name = "target"
	}
	return pflag.NormalizedName(name)
}

func lintAliases(set *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "update-baseline" {
		return "write-baseline"
	}
	return targetAliases(set, name)
}

func runtimeConfigNames() []string {
	return []string{"api/all=true", "api/ga=true", "api/beta=true", "api/alpha=true"}
}
