package auditreport

import (
	"slices"
	"time"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/codetrace"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Options are the options of New. They choose the content of a document.
type Options struct {
	// GroupBy has the columns by which requests to deprecated and removed APIs are
	// grouped.
	GroupBy []tally.Dimension
	// Top is the maximal number of rows. 0 means no limit.
	Top int
	// Sort is the order of the rows.
	Sort Sort
	// Releases selects rows by the release that removes the API. "none" selects APIs that
	// no release removes. An empty list selects all rows.
	Releases []string
	// NoEvents has texts about files without audit events that were found in directories.
	NoEvents []string
	// Metrics has the rows of the server's gauge of deprecated APIs. It is nil without
	// metrics.
	Metrics []tally.MetricRow
	// DeprecatedOnly is true if the run counted only requests to deprecated or removed
	// APIs.
	DeprecatedOnly bool
	// AdmissionOnly is true if the report has only requests that admission control denied
	// or would deny.
	AdmissionOnly bool
	// Contention has the fights that were found with Thresholds. It is nil if the run did
	// not search for fights.
	Contention *contention.Report
	Thresholds contention.Thresholds
	// Notes has further notes about the inputs.
	Notes []string
	// Filter is a text about the filters of the run, or "" without filters.
	Filter string
	// Code finds the Go code of a client. CodeModules has the modules that were read.
	// Both are nil without --code.
	Code        *codetrace.Index
	CodeModules []CodeModule
}

// Sort is an order of rows.
type Sort string

// SortRelease sorts by the release that removes the API, and then puts human users first.
// SortCount sorts by number of requests, SortLast by last use, and SortName by the values
// of the columns.
const (
	SortRelease Sort = "release"
	SortCount   Sort = "count"
	SortLast    Sort = "last"
	SortName    Sort = "name"
)

// Sorts returns all orders.
func Sorts() []string {
	return []string{string(SortRelease), string(SortCount), string(SortLast), string(SortName)}
}

const timeFormat = "2006-01-02T15:04:05Z"

func timeText(micros int64) string {
	if micros == 0 {
		return ""
	}
	return time.UnixMicro(micros).UTC().Format(timeFormat)
}

// New returns a document for a report, the summary of the logs and the options.
func New(r *tally.Report, sum *auditlog.Summary, o Options) *Document {
	if len(o.GroupBy) == 0 {
		o.GroupBy = tally.DefaultDimensions()
	}
	d := &Document{
		Findings: []rules.Finding{}, Clients: []Client{}, SharedManagers: []SharedManager{},
		Conflicts: []Conflict{}, Refused: []Refused{}, Bodies: []Body{}, Notes: []string{},
	}
	if o.AdmissionOnly {
		r = onlyAdmission(r)
		o.Contention, o.Metrics, o.Code = nil, nil, nil
	}
	if o.Metrics != nil {
		d.Metrics = &Metrics{Unexplained: []string{}, Unmeasured: []string{}}
		unexplained, unmeasured := r.Join(o.Metrics)
		for _, m := range unexplained {
			d.Metrics.Unexplained = append(d.Metrics.Unexplained, m.String())
		}
		for _, m := range unmeasured {
			d.Metrics.Unmeasured = append(d.Metrics.Unmeasured, m.String())
		}
	}
	if len(o.Releases) > 0 {
		r.Groups = slices.DeleteFunc(r.Groups, func(g *tally.Group) bool {
			release := g.Removed
			if release == "" {
				release = "none"
			}
			return !slices.Contains(o.Releases, release)
		})
	}
	d.deprecatedOnly, d.admissionOnly = o.DeprecatedOnly, o.AdmissionOnly
	d.rows(r, o)
	d.Clients = clients(r)
	for _, s := range r.Shared {
		m := SharedManager{Manager: s.Manager}
		for _, c := range s.Clients {
			if !slices.Contains(m.Users, c.Who()) {
				m.Users = append(m.Users, c.Who())
			}
			m.Writes += c.Unnamed
		}
		d.SharedManagers = append(d.SharedManagers, m)
	}
	for _, c := range r.Conflicts {
		d.Conflicts = append(d.Conflicts, Conflict{c.Client.Who(), c.Client.Program, c.API.String(), c.Manager, c.Field, c.Count})
	}
	for _, x := range r.Refused {
		kind := "parameter"
		if x.Kind == tally.RefusedDryRun {
			kind = "dryRun"
		}
		d.Refused = append(d.Refused, Refused{kind, x.Client.Who(), x.Client.Program, x.Text, x.Count})
	}
	for _, b := range r.Bodies {
		d.Bodies = append(d.Bodies, Body{b.Client.Who(), b.Client.Program, b.API.String(), b.Finding.Rule, b.Finding.Message, b.Finding.Path, b.Count, orEmpty(b.Objects)})
	}
	d.contention(o)
	d.admission(r.Denials)
	d.summary(r, sum)
	d.Notes = append(d.inputNotes(o), notes(r, sum, o)...)
	d.findings(r, o.Contention)
	d.code(r, o)
	return d
}

func (d *Document) rows(r *tally.Report, o Options) {
	dep := &d.Deprecated
	for _, by := range o.GroupBy {
		dep.GroupBy = append(dep.GroupBy, string(by))
	}
	for _, g := range r.Groups {
		dep.Requests += g.Count
		dep.Unannotated += g.Derived
		if r.Wildcard[g.Client] {
			dep.Wildcard += g.Count
		}
	}
	rows := r.Rows(o.GroupBy)
	switch o.Sort {
	case SortCount:
		slices.SortStableFunc(rows, func(a, b tally.Row) int { return compare(b.Count, a.Count) })
	case SortLast:
		slices.SortStableFunc(rows, func(a, b tally.Row) int { return compare(b.Last, a.Last) })
	case SortName:
		slices.SortStableFunc(rows, func(a, b tally.Row) int { return slices.Compare(a.Values, b.Values) })
	}
	if o.Top > 0 && len(rows) > o.Top {
		dep.Left = len(rows) - o.Top
		rows = rows[:o.Top]
	}
	dep.Rows = makeRows(rows, o.GroupBy, r.Server)
	d.uses = makeRows(r.Rows(useDimensions()), useDimensions(), r.Server)
}

// makeRows converts rows to the rows of documents. server is the minor that wrote the
// logs, or 0 if unknown.
func makeRows(rows []tally.Row, by []tally.Dimension, server lifecycle.Minor) []Row {
	out := []Row{}
	for _, row := range rows {
		x := Row{
			Group: map[string]string{}, Count: row.Count, Unannotated: row.Derived, Open: row.Open, Rejected: row.Rejected, Removed: row.Removed,
			Gone: row.Gone, Wildcard: row.Wildcard, APIs: orEmpty(row.APIs), Replacements: orEmpty(row.Replacements),
			First: timeText(row.First), Last: timeText(row.Last), Step: row.Times.Step / 1e6, Timeline: timeline(&row.Times), AuditIDs: orEmpty(row.AuditIDs), values: row.Values, firstPlace: row.At,
		}
		removed, err := lifecycle.ParseMinor(row.Removed)
		x.unserved = row.Rejected == row.Count || err == nil && removed <= server && row.Derived == row.Count
		for i, d := range by {
			x.Group[string(d)] = row.Values[i]
		}
		out = append(out, x)
	}
	return out
}

func timeline(t *tally.Times) []UseStep {
	out := []UseStep{}
	for i, n := range t.Counts {
		if n > 0 {
			out = append(out, UseStep{timeText(t.Start + int64(i)*t.Step), int64(n)})
		}
	}
	return out
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func (d *Document) summary(r *tally.Report, sum *auditlog.Summary) {
	s := &d.Summary
	*s = Summary{
		Inputs: sum.Inputs, Bytes: sum.Bytes, Records: sum.Records, Events: sum.Events,
		Requests: r.Requests, Copies: r.Copies, Filtered: r.Filtered, OpenWatches: r.OpenWatches,
		First: timeText(r.First), Last: timeText(r.Last), Target: r.Target.Range.String(),
		Levels: map[string]int64{}, Damaged: sum.Damaged, Damage: []Damage{}, Unreadable: []rules.Unreadable{}, Findings: map[string]int{},
	}
	if r.Server != 0 {
		s.Server = r.Server.String()
	}
	for i, name := range []string{"unknown", "Metadata", "Request", "RequestResponse"} {
		if sum.Levels[i] > 0 {
			s.Levels[name] = sum.Levels[i]
		}
	}
	for _, n := range sum.Foreign[:auditlog.ForeignEmpty] {
		s.Foreign += n
	}
	for _, x := range sum.Damage {
		s.Damage = append(s.Damage, Damage{x.Input, x.Line, x.Column, x.Text})
	}
	for _, f := range sum.Failed {
		s.Unreadable = append(s.Unreadable, rules.Unreadable{File: f.Input, Error: f.Err.Error()})
	}
}
