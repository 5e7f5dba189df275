// Package upgradecmd implements the verb upgrade.
package upgradecmd

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/codeowners"
	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/spf13/cobra"
)

type flags struct {
	from, to string

	audits        []string
	metrics       string
	code          []string
	allowDownload bool

	cluster             bool
	context, kubeconfig string
	requestTimeout      time.Duration
	renderTimeout       time.Duration

	output, outputFile, color string
	sourceURL                 string
	baseline, since, save     string
	failOn                    string
	ownerLabels               []string
	quiet, verbose            bool
	config                    string
	noConfig                  bool

	set func(name string) bool
}

const upgradeHelp = `Report what an upgrade of Kubernetes breaks, from manifests, audit logs, the server's
metrics, Go code and a running cluster. The report lists who must act, who should act,
and the removed APIs that were not found anywhere.

Arguments are manifests, as for 'kubevet lint'. --audit takes logs, as for 'kubevet
audit', or files that 'kubevet audit --save' wrote.

The report groups by owner. For requests in a log, the owner is the client. For objects,
it is the first of these that is known:
  - the value of --owner-label,
  - the team in CODEOWNERS,
  - the Argo CD or Flux application that deploys the file,
  - the Helm release,
  - the label app.kubernetes.io/managed-by,
  - the directory or Go package; in a cluster, the last writer of the object.
Clients that overwrite each other's values should act as well, because an upgrade does
not end their fight, and can change which of them wins.

The report also lists the kinds of evidence that were not given, and what the logs
leave out.

Exit status:
  0  nobody must act
  1  somebody must act (with --fail-on should: must or should act)
  2  mistake in flags
  3  something could not be read`

const upgradeExamples = `  kubevet upgrade --from 1.31 --to 1.37 deploy/ charts/
  kubevet upgrade --from 1.31 --to 1.37 --audit /var/log/kubernetes/audit --code . deploy/
  kubevet upgrade --from 1.31 --to 1.34 --audit monday.kvs --metrics metrics.txt
  kubevet upgrade --from 1.31 --to 1.37 --cluster --context prod -o html --output-file ready.html
  kubevet upgrade --from 1.31 --to 1.37 --since monday.json --save friday.json deploy/`

// Command returns the command `kubevet upgrade`.
func Command(a *app.App) *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:     "upgrade --from VERSION --to VERSION [flags] [PATH | -]...",
		Short:   "Report what an upgrade breaks, and who must act before it",
		Long:    upgradeHelp,
		Example: upgradeExamples,
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.set = cmd.Flags().Changed
			return upgradeReport(cmd.Context(), a, f, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.from, "from", "", "current Kubernetes `version`, such as 1.31")
	flags.StringVar(&f.to, "to", "", "Kubernetes `version` to upgrade to, such as 1.37")
	flags.StringArrayVar(&f.audits, "audit", nil, "audit log: a `path`, a glob, -, or a file that audit --save wrote; may be repeated")
	flags.StringVar(&f.metrics, "metrics", "", "`file` with a dump of the server's /metrics; - for standard input")
	flags.StringArrayVar(&f.code, "code", nil, "`directory` with Go modules; may be repeated")
	gocode.DownloadFlag(cmd, &f.allowDownload)
	flags.BoolVar(&f.cluster, "cluster", false, "also check a running cluster, read-only")
	flags.StringVar(&f.context, "context", "", "with --cluster, use this `context` of the kubeconfig instead of the current one")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "with --cluster, read this kubeconfig `file` instead of kubectl's")
	flags.DurationVar(&f.requestTimeout, "request-timeout", time.Minute, "with --cluster, the timeout of a request, as a `duration`")
	flags.DurationVar(&f.renderTimeout, "render-timeout", lintrun.RenderTimeout, "time to render one chart, as a `duration`; 0 for no limit")
	flags.StringVarP(&f.output, "output", "o", "text", "output `format`: "+strings.Join(upgrade.Formats(), ", "))
	flags.StringVar(&f.outputFile, "output-file", "", "write the report to this `file`")
	flags.StringArrayVar(&f.ownerLabels, "owner-label", nil, "`label` or annotation whose value is the owner of an object, such as example.com/team; may be repeated")
	flags.StringVar(&f.failOn, "fail-on", "must", "lowest `level` that makes the exit status 1: must, should or never")
	flags.StringVar(&f.baseline, "baseline", "", "leave out the items of this report, a `file` that --save wrote")
	flags.StringVar(&f.since, "since", "", "mark what is new, and list what is done, since this report: a `file` that --save wrote")
	flags.StringVar(&f.save, "save", "", "also write the report to this `file`, for --since or --baseline of a later run")
	flags.StringVar(&f.sourceURL, "source-url", "", "with -o html or markdown, link places to this `URL` with {file} and {line}, such as https://github.com/org/repo/blob/main/{file}#L{line}")
	app.ColorFlag(cmd, &f.color)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress to standard error, and no notes in the report")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show all places of each kind of evidence")
	flags.StringVar(&f.config, "config", "", "read settings from this `file` instead of the nearest .kubevet.yaml")
	flags.BoolVar(&f.noConfig, "no-config", false, "read no .kubevet.yaml")
	app.Complete(cmd, "from", settings.CompleteTarget)
	app.Complete(cmd, "to", settings.CompleteTarget)
	for _, name := range []string{"context", "request-timeout", "render-timeout", "source-url", "owner-label"} {
		app.Complete(cmd, name, cobra.NoFileCompletions)
	}
	for _, name := range []string{"audit", "metrics", "kubeconfig", "output-file", "config", "baseline", "since", "save"} {
		app.CompleteFile(cmd, name)
	}
	app.Complete(cmd, "code", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	app.CompleteWords(cmd, "output", upgrade.Formats())
	app.CompleteWords(cmd, "fail-on", failLevels)
	return cmd
}

// run is one run of `kubevet upgrade`.
type run struct {
	*app.App
	flags    *flags
	versions upgrade.Upgrade
	target   lifecycle.Target

	facts []upgrade.Fact
	// fightsToOwn has the facts about fights, to which the owners of objects are added.
	// likely has the probable owner of each client, by the name of the client.
	fightsToOwn []fightFact
	likely      map[string]string
	sources     map[string]upgrade.Source
	unreadable  []upgrade.Unreadable
	notes       []string
	// gaps says what the audit logs cannot show.
	gaps []string
	// code is the Go code of --code. It is nil without the flag.
	code *gocode.Code
	// baseline and since are the reports of --baseline and --since. They are nil without
	// the flag.
	baseline, since *upgrade.Report
	// owners has the owners of files from CODEOWNERS.
	owners *codeowners.Owners
}

// upgradeReport reads the evidence and writes the report.
func upgradeReport(ctx context.Context, a *app.App, f *flags, args []string) error {
	r, err := newRun(a, f, args)
	if err != nil {
		return err
	}
	color, err := a.Colors(f.color, a.Stdout)
	if err != nil {
		return err
	}
	if err := r.readEarlier(); err != nil {
		return err
	}
	links, err := reporting.NewLinks(a, f.sourceURL, f.outputFile)
	if err != nil {
		return err
	}
	// Go code is read first, because reading audit logs searches it for the clients.
	for _, read := range []func(context.Context, []string) error{r.readGo, r.readAudit, r.readGauge, r.readManifests} {
		if err := read(ctx, args); err != nil {
			return err
		}
	}
	report := r.versions.Merge(r.facts)
	report.Name(r.likely)
	if !f.quiet {
		report.Notes = append(report.Notes, r.notes...)
	}
	report.Unreadable = append(report.Unreadable, r.unreadable...)
	report.Summary.Incomplete = len(report.Unreadable) > 0
	for _, kind := range []string{"manifests", "audit", "metrics", "code", "cluster"} {
		s, ok := r.sources[kind]
		if !ok {
			s = upgrade.Source{Kind: kind, Text: notGiven[kind]}
		}
		if s.Gaps == nil {
			s.Gaps = []string{}
		}
		report.Sources = append(report.Sources, s)
	}
	if err := r.compare(report); err != nil {
		return err
	}
	look := upgrade.Look{Color: color, Width: app.Width(a.Stdout), Verbose: f.verbose, Link: links.Of, RulePages: reporting.PagesURL, Version: app.ProgramVersion().Version, Now: time.Now()}
	if err := r.write(report, look); err != nil {
		return err
	}
	r.printUnreadable()
	switch {
	case report.Summary.Incomplete:
		a.Status = app.StatusIncomplete
	case f.fails(&report.Summary):
		a.Status = app.StatusFindings
	}
	return nil
}

// notGiven has the note for each kind of evidence that the user did not provide.
var notGiven = map[string]string{
	"manifests": "no manifests were given, so objects in files are not checked",
	"audit":     "no audit log was given, so requests of clients are not checked",
	"metrics":   "no metrics of the server were given; they also count requests that an audit policy leaves out",
	"code":      "no Go code was given, so controllers that did not run are not checked",
	"cluster":   "no cluster was examined, so objects that are only there are not checked",
}

func newRun(a *app.App, f *flags, args []string) (*run, error) {
	r := &run{App: a, flags: f, sources: map[string]upgrade.Source{}, owners: codeowners.Find(a.Dir)}
	for _, v := range []struct {
		flag, text string
		to         *lifecycle.Minor
	}{{"--from", f.from, &r.versions.From}, {"--to", f.to, &r.versions.To}} {
		if v.text == "" {
			return nil, app.Usagef("%s is missing: give the current and the new version, as in --from 1.31 --to 1.37", v.flag)
		}
		m, err := lifecycle.ParseMinor(v.text)
		if err != nil {
			return nil, app.Usagef("%s: %w", v.flag, err)
		}
		*v.to = m
	}
	if r.versions.From >= r.versions.To {
		return nil, app.Usagef("--from %s --to %s is not an upgrade", r.versions.From, r.versions.To)
	}
	var err error
	if r.target, err = lifecycle.NewTarget(fmt.Sprintf("%s..%s", r.versions.From, r.versions.To), nil, nil); err != nil {
		return nil, app.Usage(err)
	}
	if err := app.OneFormat(f.output, upgrade.Formats()...); err != nil {
		return nil, err
	}
	if !slices.Contains(failLevels, f.failOn) {
		return nil, app.Usagef("unknown --fail-on %q: want one of %s", f.failOn, strings.Join(failLevels, ", "))
	}
	if len(args) == 0 && len(f.audits) == 0 && f.metrics == "" && len(f.code) == 0 && !f.cluster {
		return nil, app.Usagef("no evidence given: name manifests, or add --audit, --metrics, --code or --cluster")
	}
	stdin := 0
	for _, name := range slices.Concat(args, f.audits, []string{f.metrics}) {
		if name == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return nil, app.Usagef("standard input cannot be two kinds of evidence at the same time")
	}
	if f.noConfig && f.set("config") {
		return nil, app.Usagef("--config and --no-config exclude each other")
	}
	return r, nil
}

// addUnreadable records that a file could not be read.
func (r *run) addUnreadable(name, why string) {
	r.unreadable = append(r.unreadable, upgrade.Unreadable{File: name, Error: why})
}

// printUnreadable prints the inputs that could not be read to standard error, unless the
// report on standard output is text, which has these lines.
func (r *run) printUnreadable() {
	if r.flags.output == "text" && (r.flags.outputFile == "" || r.flags.outputFile == "-") {
		return
	}
	const most = 10
	for i, u := range r.unreadable {
		if i == most && !r.flags.verbose && len(r.unreadable) > most+1 {
			r.Complain("and %d more that could not be read; -v shows them", len(r.unreadable)-most)
			return
		}
		r.Complain("%s: %s", quote.Name(u.File), quote.Within(u.Error, u.File))
	}
}
