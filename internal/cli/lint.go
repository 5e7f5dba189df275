package cli

import (
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

	filenames       []string
	exclude         []string
	noGitignore     bool
	followSymlinks  bool
	embedded        bool
	maxDocumentSize string

	crds     []string
	old      string
	validate string
}

const lintHelp = `Judge Kubernetes manifests as an API server of the target version would.

Arguments are files, directories (searched for .yaml, .yml and .json files,
without what git ignores), globs, and - for standard input. Without arguments
the working directory is searched.

Findings go to standard output, a summary of what was judged and what was not
to standard error. Settings come from .kubevet.yaml in the working directory or
the nearest parent up to the root of the repository; flags win over it.

Exit status: 0 if nothing at or above --fail-on was found, 1 if something was,
2 for a mistake in flags or configuration, 3 if something could not be read.`

const lintExamples = `  kubevet lint
  kubevet lint --target 1.33 deploy/ 'charts/*/crds/*.yaml'
  kubevet lint --target 1.31..1.37 --warnings-as-errors .
  helm template ./chart | kubevet lint -
  kubevet lint -o text -o sarif=kubevet.sarif .
  kubevet lint --old origin/main --crd crds/ apps/
  kubevet lint -o kubectl --target 1.37 apps/
  kubevet lint --disable all --enable removedapi,deprecatedapi .
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
	flags.StringVar(&f.validate, "validate", "", "what the server makes of fields that it does not `know`: strict, warn (the default) or ignore")
	flags.Lookup("validate").NoOptDefVal = "strict"
	f.choiceFlags(cmd, rules.SurfaceManifest)
	f.outputFlags(cmd, rules.SurfaceManifest)

	flags.StringArrayVarP(&f.filenames, "filename", "f", nil, "a `path` to lint, as if it were an argument")
	flags.StringArrayVar(&f.exclude, "exclude", nil, "leave out files and directories that match this `glob`; without a slash at any depth")
	flags.BoolVar(&f.noGitignore, "no-gitignore", false, "lint files that git ignores, too")
	flags.BoolVar(&f.followSymlinks, "follow-symlinks", false, "follow links that lead out of a directory")
	flags.BoolVar(&f.embedded, "embedded", false, "also judge manifests embedded in ConfigMaps, Secrets and custom resources")
	flags.BoolVar(&f.requireReason, "require-reason", false, "report kubevet:ignore comments without a reason")
	flags.StringVar(&f.maxDocumentSize, "max-document-size", "32Mi", "do not judge documents above this `size`; the run is then incomplete")

	f.configFlags(cmd)

	flags.SetNormalizeFunc(lintAliases)
	complete(cmd, "exclude", cobra.NoFileCompletions)
	complete(cmd, "max-document-size", cobra.NoFileCompletions)
	completeFile(cmd, "filename")
	completeFile(cmd, "crd")
	completeFile(cmd, "old")
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
