package cli

import (
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules"
	"github.com/spf13/cobra"
)

// commonFlags are the flags, as they were given, that all verbs have that
// report findings.
type commonFlags struct {
	enable, disable []string

	outputs          []string
	outputFile       string
	color            string
	noSource         bool
	quiet, verbose   bool
	failOn           string
	warningsAsErrors bool

	requireReason bool
	baseline      string
	writeBaseline bool
	config        string
	noConfig      bool

	// set reports whether the user gave a flag.
	set func(name string) bool
}

// choiceFlags adds the flags that choose rules of a surface.
func (f *commonFlags) choiceFlags(cmd *cobra.Command, s rules.Surface) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.enable, "enable", nil, "`rules` to run besides the default ones, a,b; all means every rule")
	flags.StringSliceVar(&f.disable, "disable", nil, "`rules` not to run, a,b; all leaves only those of --enable")
	// What they take, each with its title.
	words := func() []string {
		words := []string{"all\tevery rule"}
		for _, r := range surfaceRules(s) {
			words = append(words, r.ID+"\t"+r.Title)
		}
		return words
	}
	complete(cmd, "enable", listOf(words, cobra.ShellCompDirectiveNoFileComp))
	complete(cmd, "disable", listOf(words, cobra.ShellCompDirectiveNoFileComp))
}

// outputFlags adds the flags about reports and the exit status.
func (f *commonFlags) outputFlags(cmd *cobra.Command, s rules.Surface) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.outputs, "output", "o", nil, "a `format`, or format=file: text (the default)"+strings.TrimPrefix(config.OneOf(outputFormats(s)), "text")+"; may be repeated")
	flags.StringVar(&f.outputFile, "output-file", "", "write the output that names no file to this `file`")
	colorFlag(cmd, &f.color)
	flags.BoolVar(&f.noSource, "no-source", false, "do not show the lines that findings are about")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no summary and no notes on standard error")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show more of each finding, and everything that was not judged")

	flags.StringVar(&f.failOn, "fail-on", "error", "the weakest `severity` that makes the exit status 1: error, warning or never")
	flags.BoolVarP(&f.warningsAsErrors, "warnings-as-errors", "W", false, "short for --fail-on warning")
	complete(cmd, "output", completeOutput(outputFormats(s)))
	completeWords(cmd, "fail-on", config.FailOnWords())
	completeFile(cmd, "output-file")
}

// configFlags adds the flags about the baseline and the configuration.
func (f *commonFlags) configFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.baseline, "baseline", "", "do not report findings that this `file` remembers")
	flags.BoolVar(&f.writeBaseline, "write-baseline", false, "make the baseline remember what is found now")
	flags.StringVar(&f.config, "config", "", "read settings from this `file` instead of the nearest .kubevet.yaml")
	flags.BoolVar(&f.noConfig, "no-config", false, "read no .kubevet.yaml")
	completeFile(cmd, "baseline")
	completeFile(cmd, "config")
}

// completeFile completes a flag with the names of files.
func completeFile(cmd *cobra.Command, flag string) {
	complete(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	})
}

// completeOutput completes FORMAT, and behind FORMAT= leaves it to the shell.
func completeOutput(formats []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(typed, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return formats, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
