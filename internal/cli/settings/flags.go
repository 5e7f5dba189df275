package settings

import (
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// CompleteTarget completes a minor or a range of minors.
func CompleteTarget(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before, from := "", lifecycle.Oldest
	if first, _, ok := strings.Cut(typed, ".."); ok {
		before = first + ".."
		if m, err := lifecycle.ParseMinor(first); err == nil {
			from = m + 1
		}
	}
	var words []string
	// The newest minors come first, because most users want them.
	for m := lifecycle.Newest; m >= from; m-- {
		words = append(words, before+m.String())
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// gateNames returns the names of all feature gates, each followed by "=", for shell
// completion.
func gateNames() []string {
	var names []string
	for name := range lifecycle.Gates() {
		names = append(names, name+"=")
	}
	return names
}

// Flags has the values of the flags that all verbs with findings share.
type Flags struct {
	enable, Disable []string

	Outputs    []string
	OutputFile string
	Color      string
	// MaxFindings is the number of findings to print. 0 means all.
	MaxFindings int
	NoSource    bool
	SourceURL   string
	// Category is the value of --category, which distinguishes runs in SARIF. It is empty
	// without the flag.
	Category         string
	Quiet, Verbose   bool
	FailOn           string
	warningsAsErrors bool

	// FailOnUnchecked is the value of --fail-on-unchecked, a flag only for manifests.
	FailOnUnchecked bool

	RequireReason bool
	baseline      string
	WriteBaseline bool
	Config        string
	NoConfig      bool

	// Set reports whether the command line has the flag with this name.
	Set func(name string) bool
}

// ChoiceFlags adds the flags that enable and disable the rules of a surface (manifests or
// Go code).
func (f *Flags) ChoiceFlags(cmd *cobra.Command, s rules.Surface) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.enable, "enable", nil, "also run these `rules`: names separated by commas, or all")
	flags.StringSliceVar(&f.Disable, "disable", nil, "do not run these `rules`: names separated by commas, or all (except those of --enable)")
	// The candidates are the rules with their titles.
	words := func() []string {
		words := []string{"all\tevery rule"}
		for _, r := range SurfaceRules(s) {
			words = append(words, r.ID+"\t"+r.Title)
		}
		return words
	}
	app.Complete(cmd, "enable", app.ListOf(words, cobra.ShellCompDirectiveNoFileComp))
	app.Complete(cmd, "disable", app.ListOf(words, cobra.ShellCompDirectiveNoFileComp))
}

// OutputFlags adds the flags for the reports and the exit status.
func (f *Flags) OutputFlags(cmd *cobra.Command, s rules.Surface) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.Outputs, "output", "o", nil, "output `format`, or format=file: text (the default)"+strings.TrimPrefix(config.OneOf(OutputFormats(s)), "text")+"; may be repeated")
	flags.StringVar(&f.OutputFile, "output-file", "", "write to this `file` the output for which --output names no file")
	app.ColorFlag(cmd, &f.Color)
	flags.IntVar(&f.MaxFindings, "max-findings", DefaultMaxFindings, "print at most this `number` of findings; all are counted; 0 prints all")
	flags.BoolVar(&f.NoSource, "no-source", false, "do not show source lines")
	flags.StringVar(&f.SourceURL, "source-url", "", "with -o html, link places to this `URL` with {file} and {line}, such as https://github.com/org/repo/blob/main/{file}#L{line}")
	flags.StringVar(&f.Category, "category", "", "with -o sarif, the `name` of this run: code scanning replaces the findings of the previous run of the same name (default kubevet/VERB, or kubevet/VERB/TARGET with --target)")
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "print no progress, summary or notes to standard error")
	flags.BoolVarP(&f.Verbose, "verbose", "v", false, "show details of findings, and all documents that were not checked")

	flags.StringVar(&f.FailOn, "fail-on", "error", "lowest `severity` that makes the exit status 1: error, warning, info or never")
	flags.BoolVarP(&f.warningsAsErrors, "warnings-as-errors", "W", false, "same as --fail-on warning")
	if s == rules.SurfaceManifest {
		flags.BoolVar(&f.FailOnUnchecked, "fail-on-unchecked", false, "exit with status 1 if objects without a schema were not checked")
	}
	app.Complete(cmd, "output", app.CompleteOutput(OutputFormats(s)))
	app.CompleteWords(cmd, "fail-on", config.FailOnWords())
	app.CompleteFile(cmd, "output-file")
	app.Complete(cmd, "max-findings", cobra.NoFileCompletions)
}

// DefaultMaxFindings is the default of MaxFindings. Users do not read more, and systems
// that show reports refuse larger reports.
const DefaultMaxFindings = 10_000

// ConfigFlags adds the flags for the baseline and the configuration file.
func (f *Flags) ConfigFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.baseline, "baseline", "", "do not report the findings that this `file` lists")
	flags.BoolVar(&f.WriteBaseline, "write-baseline", false, "write the current findings to the baseline")
	flags.StringVar(&f.Config, "config", "", "read settings from this `file` instead of the nearest .kubevet.yaml")
	flags.BoolVar(&f.NoConfig, "no-config", false, "read no .kubevet.yaml")
	app.CompleteFile(cmd, "baseline")
	app.CompleteFile(cmd, "config")
}

// These are the values of --fix. FixNone means that the flag is not set.
const (
	FixNone = ""
	FixSafe = "safe"
	FixAll  = "all"
)

// TargetFlags adds the flags that describe the API servers to check for.
func TargetFlags(cmd *cobra.Command, target *string, gates, runtime *[]string) {
	flags := cmd.Flags()
	flags.StringVarP(target, "target", "t", "", "Kubernetes `version` (1.33) or range (1.31..1.37); default the newest known (also --kubernetes-version)")
	flags.StringSliceVar(gates, "feature-gates", nil, "feature `gates` that differ from the server's defaults: A=true,B=false")
	flags.StringSliceVar(runtime, "runtime-config", nil, "`APIs` that the server enables or disables: api/beta=true,...")
	flags.SetNormalizeFunc(TargetAliases)
	app.Complete(cmd, "target", CompleteTarget)
	app.Complete(cmd, "feature-gates", app.ListOf(gateNames, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	app.Complete(cmd, "runtime-config", app.ListOf(runtimeConfigNames, cobra.ShellCompDirectiveNoFileComp))
}

// TargetAliases accepts the names that other tools use for --target, such as
// --kubernetes-version.
func TargetAliases(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "kubernetes-version", "kube-version", "k8s-version":
		name = "target"
	}
	return pflag.NormalizedName(name)
}

func runtimeConfigNames() []string {
	return []string{"api/all=true", "api/ga=true", "api/beta=true", "api/alpha=true"}
}

// FormatKubectl is a format only for manifests.
const FormatKubectl = "kubectl"

// OutputFormats returns the names of the report formats for a surface.
func OutputFormats(s rules.Surface) []string {
	formats := report.Formats()
	if s == rules.SurfaceManifest {
		formats = append(formats, FormatKubectl)
	}
	return formats
}

// LikeKubectl reports whether standard output has the format kubectl. outputs are the
// values of --output.
func LikeKubectl(outputs []string) bool {
	for _, o := range outputs {
		if format, file, named := strings.Cut(o, "="); format == "kubectl" && (!named || file == "-") {
			return true
		}
	}
	return false
}
