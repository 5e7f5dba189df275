package auditcmd

import (
	"cmp"
	"fmt"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/history"
	logtally "github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/auditinput"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/spf13/cobra"
)

// diffFlags are the flags of `kubevet audit diff`.
type diffFlags struct {
	target                      string
	featureGates, runtimeConfig []string

	output, color      string
	verbose, failOnNew bool
}

const auditDiffHelp = `Compare two saved runs of audit: clients that began or stopped to use a deprecated
API or to write without a field manager, and fights over fields that began or ended.

Both arguments are files that 'kubevet audit --save' wrote. A row is worse if its
requests per day grew by a factor of more than 1.5, and better if they fell by more than
this factor. A log of less than an hour counts as an hour.

Exit status:
  0  success
  1  with --fail-on-new, something is new
  2  mistake in flags or files`

func diffCommand(a *app.App) *cobra.Command {
	f := &diffFlags{}
	cmd := &cobra.Command{
		Use:   "diff [flags] OLD.kvs NEW.kvs",
		Short: "Compare two saved runs of audit",
		Long:  auditDiffHelp,
		Example: `  kubevet audit --save thursday.kvs /var/log/kubernetes/audit.log
  kubevet audit diff --fail-on-new wednesday.kvs thursday.kvs`,
		Args: cobra.ExactArgs(2),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{auditinput.StateExtension[1:]}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return auditDiff(a, f, args[0], args[1])
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	settings.TargetFlags(cmd, &f.target, &f.featureGates, &f.runtimeConfig)
	flags.StringVarP(&f.output, "output", "o", "table", "output `format`: table, markdown or json")
	app.ColorFlag(cmd, &f.color)
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "do not shorten long names")
	flags.BoolVar(&f.failOnNew, "fail-on-new", false, "exit with status 1 if something is new")
	app.CompleteWords(cmd, "output", auditreport.DiffFormats())
	return cmd
}

func auditDiff(a *app.App, f *diffFlags, before, after string) error {
	if err := app.OneFormat(f.output, auditreport.DiffFormats()...); err != nil {
		return err
	}
	color, err := a.Colors(f.color, a.Stdout)
	if err != nil {
		return err
	}
	var documents [2]*auditreport.Document
	for i, name := range []string{before, after} {
		s, err := auditinput.ReadState(a, name)
		if err != nil {
			return app.Usage(err)
		}
		if documents[i], err = stateDocument(f, s); err != nil {
			return app.Usagef("%s: %w", quote.Name(name), err)
		}
	}
	d := auditreport.NewDiff(documents[0], documents[1], before, after)
	look := auditreport.Look{Color: color, Width: app.Width(a.Stdout), Verbose: f.verbose}
	if err := d.Write(f.output, a.Stdout, look); err != nil && !app.IsClosedPipe(err) {
		return fmt.Errorf("writing to standard output: %w", app.Cause(err))
	}
	if f.failOnNew && d.Summary.New > 0 {
		a.Status = app.StatusFindings
	}
	return nil
}

// stateDocument returns the report of a saved state, for comparison with another. The
// target is the target of the state, unless flags override it.
func stateDocument(f *diffFlags, s *history.State) (*auditreport.Document, error) {
	target, err := settings.MakeTarget(cmp.Or(f.target, s.Tally.Config.Target), f.featureGates, f.runtimeConfig, true, &config.Config{})
	if err != nil {
		return nil, err
	}
	t, err := logtally.Restore(s.Tally, target)
	if err != nil {
		return nil, err
	}
	options := auditreport.Options{
		GroupBy:        []logtally.Dimension{logtally.ByRelease, logtally.ByUser, logtally.ByAgent, logtally.ByAPI},
		Sort:           auditreport.Sort(auditreport.Sorts()[0]),
		DeprecatedOnly: s.DeprecatedOnly,
	}
	if s.HasContention {
		fights, err := contention.Decode(s.Contention, contention.Limits{})
		if err != nil {
			return nil, err
		}
		report := fights.Report(contention.Thresholds{})
		options.Contention = &report
	}
	sum := s.Logs.Summary()
	return auditreport.New(t.Report(), &sum, options), nil
}
