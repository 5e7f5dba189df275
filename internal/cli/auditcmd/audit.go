// Package auditcmd implements the verb audit with its subcommands diff, serve and sql.
package auditcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/history"
	logtally "github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/atomicfile"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/auditinput"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
	"github.com/spf13/cobra"
)

// flags are the flags of `kubevet audit`.
type flags struct {
	target                      string
	featureGates, runtimeConfig []string

	output, outputFile, color string
	quiet, verbose            bool
	failOn                    string
	warningsAsErrors          bool

	groupBy  []string
	top      int
	sort     string
	releases []string
	filter   logtally.Filter
	since    string
	until    string

	noContention bool
	fights       fightFlags

	deprecatedOnly bool
	admission      bool
	metrics        string
	workers        int

	follow bool
	state  string

	loads         []string
	save          string
	code          []string
	allowDownload bool

	set func(name string) bool
}

const auditHelp = `Report from audit logs of Kubernetes API servers
  - clients that use removed or deprecated APIs,
  - writes that cause trouble: without a field manager, with force, with conflicts,
    or without a change,
  - writers that fight over the fields of an object,
  - requests that admission policies and Pod Security denied, or would deny.

Arguments are files, directories (all files below them), globs, and - for standard
input. kubevet recognises the format of a log by its content:
  - logs of API servers, also of OpenShift: one event per line, lists, and the legacy
    format,
  - exports of EKS, GKE and AKS, as JSON, CSV or YAML,
  - output of log shippers, container runtimes and databases, as JSON, CSV, XML or
    lines, also with events nested in strings or base64,
  - output of Falco and kube-audit-rest,
  - all of these compressed with gzip, zlib, zstd, xz, lzma, bzip2 or lz4, in tar and
    zip archives, or in UTF-16.
A file without any event is an error, and the report says what the file looks like.

With --follow, kubevet reads files that grow. It continues after a file is rotated,
copied and truncated, or compressed. With --state, it also continues after a restart.
The report says if a part of the log was deleted before kubevet could read it.

A request is counted once, even if the logs have several stages or copies of it.
Patterns in filters can contain * and ?.

Exit status:
  0  no finding at or above --fail-on
  1  findings
  2  mistake in flags
  3  a part of a log could not be read, or no log holds an event
Findings of a run with --follow do not make the exit status 1.`

const auditExamples = `  kubevet audit /var/log/kubernetes/audit*.log*
  kubevet audit --target 1.37 --group-by user,sourceip,api must-gather/
  aws logs filter-log-events --log-group-name /aws/eks/prod/cluster | kubevet audit -
  kubevet audit --since 24h --user 'system:serviceaccount:*' -o json audit.log.gz
  kubectl get --raw /metrics | kubevet audit --metrics - audit.log
  kubevet audit --admission -o csv audit.log
  kubevet audit --save monday.kvs audit.log && kubevet audit --load monday.kvs tuesday.kvs
  kubevet audit --follow --state audit.kvs /var/log/kubernetes/audit.log
  kubevet audit --code ../operator --target 1.37 audit.log`

// Command returns the command `kubevet audit`.
func Command(a *app.App) *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:     "audit [flags] PATH | - ...",
		Short:   "Report clients of old APIs, and clients that fight over values, from audit logs",
		Long:    auditHelp,
		Example: auditExamples,
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.set = cmd.Flags().Changed
			return audit(cmd.Context(), a, f, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	settings.TargetFlags(cmd, &f.target, &f.featureGates, &f.runtimeConfig)
	dimensions := make([]string, 0, len(logtally.Dimensions()))
	for _, d := range logtally.Dimensions() {
		dimensions = append(dimensions, string(d))
	}
	flags.StringSliceVar(&f.groupBy, "group-by", nil, "group requests to deprecated and removed APIs by these `columns`: "+strings.Join(dimensions, ", ")+" (default release,api,user,agent)")
	flags.IntVar(&f.top, "top", 0, "show at most this `number` of groups; 0 for all")
	flags.StringVar(&f.sort, "sort", "release", "`order` of groups: release, count, last or name")
	flags.StringSliceVar(&f.releases, "release", nil, "only APIs that these `releases` remove, such as 1.25,1.32; the word none means APIs that no release removes")

	for _, p := range []struct {
		list             *[]string
		name, short, use string
	}{
		{&f.filter.Users, "user", "", "only requests of users that match this `pattern`"},
		{&f.filter.Groups, "group", "", "only requests of users in a group that matches this `pattern`"},
		{&f.filter.Agents, "agent", "", "only requests of user agents that match this `pattern`, with or without their version"},
		{&f.filter.SourceIPs, "source-ip", "", "only requests from addresses that match this `pattern`"},
		{&f.filter.Pods, "pod", "", "only requests of pods that match this `pattern`"},
		{&f.filter.Verbs, "verb", "", "only requests with these `verbs`: get, list, watch, create, update, patch, delete, deletecollection"},
		{&f.filter.APIs, "api", "", "only requests for APIs that match this `pattern`: policy/v1beta1, ingresses, or 'policy/v1beta1 ingresses'"},
		{&f.filter.Namespaces, "namespace", "n", "only requests in namespaces that match this `pattern`"},
		{&f.filter.Names, "name", "", "only requests for objects whose name matches this `pattern`"},
	} {
		flags.StringSliceVarP(p.list, p.name, p.short, nil, p.use)
		app.Complete(cmd, p.name, cobra.NoFileCompletions)
	}
	flags.StringVar(&f.since, "since", "", "only requests from this `time` on, such as 2026-11-21 or 2026-11-21T10:00:00Z; 24h means 24 hours ago")
	flags.StringVar(&f.until, "until", "", "only requests before this `time`")

	f.fights.add(cmd)
	flags.BoolVar(&f.noContention, "no-contention", false, "do not look for fights")
	flags.BoolVar(&f.deprecatedOnly, "deprecated-only", false, "read only events that the server marked as deprecated: several times faster, but misses open watches, refused requests, and APIs that only the target deprecates")
	flags.BoolVar(&f.admission, "admission", false, "report only requests that admission policies, Pod Security and webhooks denied or would deny")
	flags.StringVar(&f.metrics, "metrics", "", "compare the log with this `file`, a dump of the server's /metrics; - for standard input")

	flags.BoolVar(&f.follow, "follow", false, "read what is appended to the files until interrupted, also after the files are rotated, and print each finding when it is certain")
	flags.StringVar(&f.state, "state", "", "with --follow, `file` with the counts and the positions in the logs, so that a later run can continue")
	flags.StringVar(&f.save, "save", "", "also write the counts to this `file` for --load and audit diff; its name must end in .kvs")
	flags.StringArrayVar(&f.loads, "load", nil, "add the counts of a `file` that --save wrote; arguments that end in .kvs are added as well")

	flags.StringArrayVar(&f.code, "code", nil, "`directory` with Go modules: report the code that makes deprecated calls and fights; may be repeated")
	gocode.DownloadFlag(cmd, &f.allowDownload)
	app.Complete(cmd, "code", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})

	flags.StringVarP(&f.output, "output", "o", "table", "output `format`: "+strings.Join(auditreport.Formats(), ", ")+"; with --follow only text and json, and text is the default")
	flags.StringVar(&f.outputFile, "output-file", "", "write the output to this `file`")
	app.ColorFlag(cmd, &f.color)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress and no summary to standard error")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show every row, and clients that read all resources")
	flags.StringVar(&f.failOn, "fail-on", "error", "lowest `severity` that makes the exit status 1: error, warning, info or never")
	flags.BoolVarP(&f.warningsAsErrors, "warnings-as-errors", "W", false, "same as --fail-on warning")
	flags.IntVar(&f.workers, "workers", 0, "read with this number of `threads`; 0 for one per processor")

	app.Complete(cmd, "group-by", app.ListOf(func() []string { return dimensions }, cobra.ShellCompDirectiveNoFileComp))
	app.CompleteWords(cmd, "sort", auditreport.Sorts())
	app.CompleteWords(cmd, "output", auditreport.Formats())
	app.CompleteWords(cmd, "fail-on", config.FailOnWords())
	app.Complete(cmd, "state", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	})
	for _, name := range []string{"top", "release", "since", "until", "workers"} {
		app.Complete(cmd, name, cobra.NoFileCompletions)
	}
	cmd.AddCommand(diffCommand(a), serveCommand(a), sqlCommand(a))
	return cmd
}

// audit reads the logs and writes the report.
func audit(ctx context.Context, a *app.App, f *flags, args []string) error {
	started := time.Now()
	if f.follow && !f.set("output") {
		f.output = "text"
	}
	run, err := newRun(a, f, started)
	if err != nil {
		return err
	}
	if len(args) == 0 && len(f.loads) == 0 {
		return app.Usagef("no log given: name files or directories, or - for standard input")
	}
	if f.follow {
		return follow(ctx, a, f, run, args)
	}
	if f.state != "" {
		return app.Usagef("--state needs --follow: see --save and --load")
	}
	if f.save != "" && !strings.HasSuffix(f.save, auditinput.StateExtension) {
		return app.Usagef("--save %s: the name must end in %s, to tell it from a log", f.save, auditinput.StateExtension)
	}
	if f.metrics == "-" && slices.Contains(args, "-") {
		return app.Usagef("standard input cannot be the log and the metrics at the same time")
	}
	if f.admission && (f.deprecatedOnly || f.metrics != "" || len(f.code) > 0) {
		return app.Usagef("--admission excludes --deprecated-only, --metrics and --code: its report has nothing to do with APIs")
	}
	logs, err := auditinput.Find(ctx, a, args)
	if err != nil {
		return err
	}
	states := logs.States(f.loads)
	run.tally.Keep = f.save != "" || len(states) > 0
	if f.metrics != "" && f.filter.Narrows() {
		return app.Usagef("--metrics counts the requests of all clients: leave out the filters to compare them")
	}
	if f.metrics != "" {
		if run.document.Metrics, err = auditinput.ReadMetrics(a, f.metrics); err != nil {
			return app.Usage(err)
		}
	}
	// A saved state must have all counts, because another run may add them to its own
	// counts.
	skip := f.deprecatedOnly || f.admission && !run.tally.Keep
	if !skip {
		run.tally.Judge = auditreport.BodyJudge(run.tally.Target)
	}
	t := logtally.New(run.tally)
	options := auditlog.Options{Workers: f.workers}
	bar := app.NewProgress(app.NewStatusLine(a.Stderr, !f.quiet && a.ShowsStatus()), logs.Size)
	options.Progress = bar.Add
	if f.deprecatedOnly {
		options.Skip = auditlog.OnlyDeprecated
	}
	var fights *contention.Collector
	if !f.noContention && !skip {
		fights = contention.New(contention.Config{Keep: run.tally.Filter.KeepsObject, Redact: f.fights.redact, Status: f.fights.status})
	}
	counts := &counts{tally: t, fights: fights, deprecatedOnly: f.deprecatedOnly}
	saved, err := auditinput.ReadStates(a, states)
	if err != nil {
		return app.Usage(err)
	}
	workers, add := auditinput.Together(t, fights)
	sum, err := auditlog.Read(ctx, logs.Seq(), options, workers, add)
	bar.Done()
	if err != nil {
		return app.ErrInterrupted
	}
	events := sum.Events + auditinput.Events(saved)
	mistakes, others := logs.Barren(&sum, events)
	sum.Failed = append(append(sum.Failed, logs.Failed...), mistakes...)
	run.document.NoEvents = others
	if !f.quiet {
		a.Notes(others, f.verbose)
	}
	run.document.Notes, run.document.Filter = others, run.filter(f)
	if run.tally.Keep {
		counts.logs.Add(history.Of(&sum))
		for i, s := range saved {
			if err := counts.load(s); err != nil {
				return app.Usagef("%s: %w", quote.Name(states[i]), err)
			}
			if counts.shared > 0 {
				note := fmt.Sprintf("about %.0f %% of the requests in %s are in another log or state as well, and counted twice", 100*counts.shared, quote.Name(states[i]))
				run.document.Notes = append(run.document.Notes, note)
				if !f.quiet {
					a.Notes([]string{note}, true)
				}
			}
		}
		sum = counts.logs.Summary()
	}
	if len(logs.List) == 0 && events == 0 && sum.Damaged == 0 && len(sum.Failed) == 0 {
		return fmt.Errorf("%s hold no audit event", strings.Join(states, ", "))
	}
	if f.save != "" {
		if err := save(a, f.save, counts.state()); err != nil {
			return err
		}
	}
	if fights != nil {
		run.document.Contention = auditlive.Fights(fights, run.document.Thresholds, &run.tally.Filter)
	}
	if err := auditCode(ctx, a, f, run, &sum); err != nil {
		return err
	}
	d := auditreport.New(t.Report(), &sum, run.document)
	d.Summary.Seconds = time.Since(started).Seconds()
	if err := writeAudit(a, f, run, d); err != nil {
		return err
	}
	if f.quiet {
		for _, failure := range sum.Failed {
			a.Complain("%s: %v", failure.Input, failure.Err)
		}
	} else {
		color, err := a.Colors(f.color, a.Stderr)
		if err != nil {
			return err
		}
		if err := d.WriteSummary(a.Stderr, auditreport.Look{Color: color, Verbose: f.verbose}); err != nil && !app.IsClosedPipe(err) {
			return err
		}
	}
	a.Status = run.status(d)
	return nil
}

// writeAudit writes the report to standard output or to the file of --output-file.
func writeAudit(a *app.App, f *flags, r *run, d *auditreport.Document) error {
	look := auditreport.Look{Color: r.color, Width: app.Width(a.Stdout), Verbose: f.verbose, Version: app.ProgramVersion().Version}
	if links, err := reporting.NewLinks(a, "", f.outputFile); err == nil {
		look.Link = links.Of
	}
	for _, rule := range rules.Catalogue() {
		if d.Summary.Findings[rule.ID] > 0 {
			look.Rules = append(look.Rules, report.Rule{ID: rule.ID, Title: rule.Title, Description: rule.Page, Severity: rule.Severity, URL: reporting.PagesURL + rule.ID + ".md"})
		}
	}
	if f.outputFile == "" || f.outputFile == "-" {
		if err := d.Write(f.output, a.Stdout, look); err != nil && !app.IsClosedPipe(err) {
			return fmt.Errorf("writing to standard output: %w", app.Cause(err))
		}
		return nil
	}
	look.Color, look.Width = false, 0
	file, err := atomicfile.Create(a.Path(f.outputFile))
	if err != nil {
		return app.Usage(fmt.Errorf("writing %w", app.Bare(err, f.outputFile)))
	}
	if err := d.Write(f.output, file, look); err != nil {
		file.Abort()
		return fmt.Errorf("writing %w", app.Bare(err, f.outputFile))
	}
	return errors.Join(file.Commit())
}
