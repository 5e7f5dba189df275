package lintcmd

import (
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
	"github.com/spf13/cobra"
)

// helmFlags adds the flags for charts, with the names and values of helm template.
func helmFlags(cmd *cobra.Command, f *lintrun.HelmFlags) {
	flags := cmd.Flags()
	flags.BoolVar(&f.No, "no-helm", false, "do not render Helm charts; their templates are then not checked")
	flags.StringArrayVar(&f.Values, "values", nil, "render charts with the values of this `file`; may be repeated")
	flags.StringArrayVar(&f.Sets[helmchart.Set], "set", nil, "render charts with these `values`: key=value,key.key=value")
	flags.StringArrayVar(&f.Sets[helmchart.SetString], "set-string", nil, "like --set, for string `values`")
	flags.StringArrayVar(&f.Sets[helmchart.SetJSON], "set-json", nil, "like --set, for JSON `values`: key=JSON, or an object")
	flags.StringArrayVar(&f.Sets[helmchart.SetFile], "set-file", nil, "like --set, with the contents of `files` as values: key=path")
	flags.StringArrayVar(&f.Sets[helmchart.SetLiteral], "set-literal", nil, "like --set, for one literal `value`")
	flags.BoolVar(&f.CIValues, "ci-values", false, "also render each chart with each of its files ci/*-values.yaml and values*.yaml, and with each pair of one file of either pattern")
	flags.DurationVar(&f.RenderTimeout, "render-timeout", lintrun.RenderTimeout, "time to render one chart, as a `duration`; 0 for no limit")
	flags.StringSliceVar(&f.APIVersions, "api-versions", nil, "`APIs` that charts find in the cluster in addition to those of the target and --context: example.com/v1,example.com/v1/Kind")
	app.CompleteFile(cmd, "values")
	for _, name := range []string{"set", "set-string", "set-json", "set-literal", "api-versions", "render-timeout"} {
		app.Complete(cmd, name, cobra.NoFileCompletions)
	}
	app.CompleteFile(cmd, "set-file")
}

// kustomizeFlags adds the flags for kustomizations, with the names and values of
// kustomize.
func kustomizeFlags(cmd *cobra.Command, f *lintrun.Flags) {
	flags := cmd.Flags()
	flags.BoolVar(&f.NoKustomize, "no-kustomize", false, "do not build kustomizations; check their files as they are")
	flags.StringVar(&f.LoadRestrictor, "load-restrictor", "rootonly", "`restriction` on the files that a kustomization may name: rootonly (those in and below its directory) or none")
	flags.BoolVar(&f.EnableHelm, "enable-helm", false, "inflate local Helm charts of kustomizations")
	flags.StringVar(&f.HelmCommand, "helm-command", "", "with --enable-helm, run this `program` to inflate charts; it may use the network")
	app.CompleteWords(cmd, "load-restrictor", config.LoadRestrictorWords())
	app.CompleteFile(cmd, "helm-command")
}
