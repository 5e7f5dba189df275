package auditcmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	logtally "github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/rules"
)

// run has the settings of a run.
type run struct {
	tally    logtally.Config
	document auditreport.Options
	color    bool
	failOn   rules.Severity
	fails    bool
}

// filter returns a text that describes the filters of a run.
func (r *run) filter(f *flags) string {
	var all []string
	if text := r.tally.Filter.String(); text != "" {
		all = append(all, text)
	}
	for _, p := range []struct{ name, value string }{{"since", f.since}, {"until", f.until}, {"release", strings.Join(f.releases, ",")}} {
		if p.value != "" {
			all = append(all, p.name+" "+p.value)
		}
	}
	return strings.Join(all, "; ")
}

func newRun(a *app.App, f *flags, now time.Time) (r *run, err error) {
	r = &run{tally: logtally.Config{Filter: f.filter}, document: auditreport.Options{Top: f.top, Sort: auditreport.Sort(f.sort), DeprecatedOnly: f.deprecatedOnly, AdmissionOnly: f.admission}}
	formats := auditreport.Formats()
	if f.follow {
		formats = liveFormats()
	}
	if err := app.OneFormat(f.output, formats...); err != nil {
		return nil, err
	}
	if r.tally.Target, err = settings.MakeTarget(f.target, f.featureGates, f.runtimeConfig, f.set("target"), &config.Config{}); err != nil {
		return nil, app.Usage(err)
	}
	if r.document.GroupBy, err = logtally.ParseDimensions(f.groupBy); err != nil {
		return nil, app.Usagef("--group-by: %w", err)
	}
	if !slices.Contains(auditreport.Sorts(), f.sort) {
		return nil, app.Usagef("unknown --sort %q: want %s", f.sort, config.OneOf(auditreport.Sorts()))
	}
	if r.document.Thresholds, err = f.fights.thresholds(); err != nil {
		return nil, err
	}
	if f.top < 0 || f.workers < 0 {
		return nil, app.Usagef("--top and --workers must not be negative")
	}
	for _, release := range f.releases {
		r.document.Releases = append(r.document.Releases, strings.TrimPrefix(release, "v"))
	}
	if err := f.filter.Check(); err != nil {
		return nil, app.Usage(err)
	}
	if r.tally.Filter.Since, err = moment(f.since, now); err != nil {
		return nil, app.Usagef("--since: %w", err)
	}
	if r.tally.Filter.Until, err = moment(f.until, now); err != nil {
		return nil, app.Usagef("--until: %w", err)
	}
	if r.color, err = a.Colors(f.color, a.Stdout); err != nil {
		return nil, err
	}
	failOn := f.failOn
	if f.warningsAsErrors {
		failOn = "warning"
	}
	if failOn != "never" {
		if !slices.Contains(config.FailOnWords(), failOn) {
			return nil, app.Usagef("unknown --fail-on %q: want %s", failOn, config.OneOf(config.FailOnWords()))
		}
		r.fails = true
		if r.failOn, err = rules.ParseSeverity(failOn); err != nil {
			return nil, app.Usage(err)
		}
	}
	return r, nil
}

// moment parses a point in time, or a duration before now. "" is the zero time.
func moment(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(s); err == nil {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time: want 2026-11-21, 2026-11-21T10:00:00Z or 24h", s)
}

// status returns the exit status of a run.
func (r *run) status(d *auditreport.Document) int {
	if d.Summary.Incomplete() {
		return app.StatusIncomplete
	}
	for _, f := range d.Findings {
		if r.fails && f.Severity >= r.failOn {
			return app.StatusFindings
		}
	}
	return app.StatusClean
}
