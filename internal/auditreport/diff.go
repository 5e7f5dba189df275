package auditreport

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/internal/columns"
	"github.com/kubevet/kubevet/internal/quote"
)

// Diff is the comparison of an audit report with a later report. Problems that are about
// as frequent in both reports are not listed.
type Diff struct {
	Old     Span        `json:"old"`
	New     Span        `json:"new"`
	Changes []Change    `json:"changes"`
	Summary DiffSummary `json:"summary"`
}

// Span is the period of one report.
type Span struct {
	// Name is the name of the file with the report.
	Name     string `json:"name"`
	First    string `json:"first"`
	Last     string `json:"last"`
	Requests int64  `json:"requests"`
}

// Change is a problem that appeared, disappeared, or became more or less frequent.
type Change struct {
	// Status is "new", "worse", "better" or "gone".
	Status string `json:"status"`
	// Rule is the rule of the problem: removedapi, deprecatedapi, fieldmanager,
	// fieldfight, selfflap, applyforce (for conflicts), policyviolation, or the rule of a
	// finding in a body.
	Rule string `json:"rule"`
	// User and Agent identify the client. For a fight, they list all writers.
	User  string `json:"user"`
	Agent string `json:"agent"`
	// What names the API, object or field. Detail has further facts, such as the release
	// that removes an API. If the use stopped before the log ended, Detail has the time
	// of the last use.
	What   string `json:"what"`
	Detail string `json:"detail"`
	// Old and New are numbers of requests, or of reversals in fights. OldRate and NewRate
	// are these numbers for each day. They are 0 if a report has no times.
	Old     int64   `json:"old"`
	New     int64   `json:"new"`
	OldRate float64 `json:"oldRate"`
	NewRate float64 `json:"newRate"`
}

// DiffSummary has the number of changes for each status. Same is the number of problems
// that are about as frequent in both reports.
type DiffSummary struct {
	New    int `json:"new"`
	Worse  int `json:"worse"`
	Better int `json:"better"`
	Gone   int `json:"gone"`
	Same   int `json:"same"`
}

// statuses has the values of Change.Status, in the order of the report.
var statuses = []string{"new", "worse", "better", "gone"}

// minFactor is the smallest factor by which a rate must change to count as worse or better.
// Clients never send exactly the same number of requests each day.
const minFactor = 1.5

// minRatePeriod is the shortest period from which a rate for each day is computed. Shorter
// reports count as this long.
const minRatePeriod = time.Hour

// NewDiff compares two reports. Both reports must be grouped by user, agent, api and
// release, and must have all rows.
func NewDiff(before, after *Document, beforeName, afterName string) *Diff {
	d := &Diff{Old: span(before, beforeName), New: span(after, afterName), Changes: []Change{}}
	was, is := problems(before), problems(after)
	oldDays, newDays := durationInDays(before), durationInDays(after)
	for key, c := range is {
		c.Old = was[key].New
		c.compare(oldDays, newDays)
		d.add(c)
	}
	for key, c := range was {
		if _, still := is[key]; !still {
			c.Old, c.New = c.New, 0
			c.compare(oldDays, newDays)
			d.add(c)
		}
	}
	slices.SortFunc(d.Changes, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(slices.Index(statuses, a.Status), slices.Index(statuses, b.Status)),
			strings.Compare(a.Rule, b.Rule), cmp.Compare(b.New, a.New), cmp.Compare(b.Old, a.Old),
			strings.Compare(a.User, b.User), strings.Compare(a.Agent, b.Agent), strings.Compare(a.What, b.What), strings.Compare(a.Detail, b.Detail),
		)
	})
	return d
}

func (d *Diff) add(c Change) {
	switch c.Status {
	case "new":
		d.Summary.New++
	case "worse":
		d.Summary.Worse++
	case "better":
		d.Summary.Better++
	case "gone":
		d.Summary.Gone++
	default:
		d.Summary.Same++
		return
	}
	d.Changes = append(d.Changes, c)
}

// compare sets the status of a change. If both reports have times, it compares the rates,
// otherwise the numbers.
func (c *Change) compare(oldDays, newDays float64) {
	before, after := float64(c.Old), float64(c.New)
	if oldDays > 0 && newDays > 0 {
		c.OldRate, c.NewRate = roundHundredths(before/oldDays), roundHundredths(after/newDays)
		before, after = before/oldDays, after/newDays
	}
	switch {
	case c.Old == 0:
		c.Status = "new"
	case c.New == 0:
		c.Status = "gone"
	case after > before*minFactor:
		c.Status = "worse"
	case before > after*minFactor:
		c.Status = "better"
	}
}

func roundHundredths(f float64) float64 { return math.Round(f*100) / 100 }

func span(d *Document, name string) Span {
	return Span{Name: name, First: d.Summary.First, Last: d.Summary.Last, Requests: d.Summary.Requests}
}

// durationInDays returns 0 if the duration is unknown.
func durationInDays(d *Document) float64 {
	first, err1 := time.Parse(time.RFC3339, d.Summary.First)
	last, err2 := time.Parse(time.RFC3339, d.Summary.Last)
	if err1 != nil || err2 != nil || last.Before(first) {
		return 0
	}
	return max(last.Sub(first), minRatePeriod).Hours() / 24
}

// stopped reports whether the last request is much longer ago than the longest pause
// between requests. end is the end of the log.
func (r *Row) stopped(end string) bool {
	const muchLonger = 3
	stop, err1 := time.Parse(time.RFC3339, end)
	last, err2 := time.Parse(time.RFC3339, r.Last)
	if err1 != nil || err2 != nil || len(r.Timeline) < 3 {
		return false
	}
	longest := time.Duration(r.Step) * time.Second
	var before time.Time
	for i, x := range r.Timeline {
		at, err := time.Parse(time.RFC3339, x.At)
		if err != nil {
			return false
		}
		if i > 0 {
			longest = max(longest, at.Sub(before))
		}
		before = at
	}
	return stop.Sub(last) > muchLonger*longest
}

// problemKey identifies the same problem in two reports.
type problemKey struct{ rule, user, agent, what string }

// problems returns the problems of a report, with their counts in the field New.
func problems(d *Document) map[problemKey]Change {
	all := map[problemKey]Change{}
	add := func(rule, user, agent, what, detail string, n int64) {
		if n == 0 {
			return
		}
		key := problemKey{rule, user, agent, what}
		c, known := all[key]
		if !known {
			c = Change{Rule: rule, User: user, Agent: agent, What: what, Detail: detail}
		}
		c.New += n
		all[key] = c
	}
	for _, r := range d.Deprecated.Rows {
		if r.Wildcard {
			continue // such a client reads all resources, so it does not need this API
		}
		rule, detail := "deprecatedapi", ""
		if r.Gone {
			rule = "removedapi"
		}
		if r.Removed != "" {
			detail = "gone in " + r.Removed
		}
		if r.stopped(d.Summary.Last) {
			detail = strings.TrimPrefix(detail+"; none since "+r.Last, "; ")
		}
		add(rule, r.Group["user"], r.Group["agent"], r.Group["api"], detail, r.Count)
	}
	for _, c := range d.Clients {
		add("fieldmanager", c.User, c.Agent, "writes without a field manager", "", c.Unnamed)
	}
	for _, c := range d.Conflicts {
		add("applyforce", c.User, c.Agent, c.API+" "+c.Field, "owned by "+c.Manager, c.Count)
	}
	for _, b := range d.Bodies {
		add(b.Rule, b.User, b.Agent, strings.TrimSpace(b.API+" "+b.Path), b.Message, b.Count)
	}
	for i := range d.Admission.Denials {
		x := &d.Admission.Denials[i]
		if x.Outcome != denial.Passed.String() {
			continue
		}
		for j := range x.Rows {
			r := &x.Rows[j]
			add(policyRule, r.User, r.Agent, x.reason(), x.Message, r.Requests)
		}
	}
	for i := range d.Fights {
		f := &d.Fights[i]
		var users, agents []string
		for _, w := range f.Writers {
			users, agents = append(users, w.User), append(agents, w.Agent)
		}
		slices.Sort(users)
		slices.Sort(agents)
		detail := "ended"
		if f.Ongoing {
			detail = "still going"
		}
		add(f.Rule, strings.Join(slices.Compact(users), ", "), strings.Join(slices.Compact(agents), ", "), f.Object.name(), detail, f.Reversals)
	}
	return all
}

func (o FightObject) name() string {
	resource := o.Resource
	if o.Group != "" {
		resource += "." + o.Group
	}
	if o.Namespace != "" {
		return resource + " " + o.Namespace + "/" + o.Name
	}
	return resource + " " + o.Name
}

// DiffFormats returns the names of the formats of Diff.
func DiffFormats() []string { return []string{"table", "markdown", "json"} }

// Write writes the comparison in one of the formats. It returns the errors of w, and an
// error for an unknown format.
func (d *Diff) Write(format string, w io.Writer, l Look) error {
	b := bufio.NewWriter(w)
	switch format {
	case "json":
		if err := writeIndented(b, d); err != nil {
			return err
		}
	case "markdown":
		d.markdown(b)
	case "table":
		if err := d.table(b, l); err != nil {
			return err
		}
	default:
		return fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(DiffFormats(), ", "))
	}
	return b.Flush()
}

var diffHeader = []string{"", "RULE", "USER", "AGENT", "WHAT", "", "BEFORE", "NOW"}

func (c *Change) cells() []string {
	before, now := n(c.Old), n(c.New)
	if c.OldRate > 0 || c.NewRate > 0 {
		before, now = before+" ("+perDay(c.OldRate)+")", now+" ("+perDay(c.NewRate)+")"
	}
	return []string{c.Status, c.Rule, c.User, c.Agent, c.What, c.Detail, before, now}
}

func perDay(rate float64) string { return fmt.Sprintf("%.4g a day", rate) }

// headline returns a line with the names and periods of both reports and the numbers of
// changes.
func (d *Diff) headline() string {
	return fmt.Sprintf("%s (%s to %s) against %s (%s to %s): %d new, %d worse, %d better, %d gone, %d as before",
		quote.Name(d.New.Name), orUnknown(d.New.First), orUnknown(d.New.Last), quote.Name(d.Old.Name), orUnknown(d.Old.First), orUnknown(d.Old.Last),
		d.Summary.New, d.Summary.Worse, d.Summary.Better, d.Summary.Gone, d.Summary.Same)
}

func (d *Diff) table(w io.Writer, l Look) error {
	fmt.Fprintln(w, quote.Text(d.headline()))
	if len(d.Changes) == 0 {
		return nil
	}
	var rows [][]string
	for i := range d.Changes {
		cells := d.Changes[i].cells()
		for j := range cells {
			if cells[j] = quote.Name(cells[j]); !l.Verbose {
				cells[j] = shortenCell(cells[j])
			}
		}
		rows = append(rows, cells)
	}
	text, err := columns.Text(diffHeader, rows, false)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

func (d *Diff) markdown(w io.Writer) {
	fmt.Fprintf(w, "# Audit: what changed\n\n%s.\n", markdown(d.headline()))
	if len(d.Changes) == 0 {
		return
	}
	rows := make([][]string, len(d.Changes))
	for i := range d.Changes {
		for _, c := range d.Changes[i].cells() {
			rows[i] = append(rows[i], quote.Name(c))
		}
	}
	header := []string{"Status", "Rule", "User", "Agent", "What", "", "Before", "Now"}
	io.WriteString(w, "\n"+columns.Markdown(header, rows, markdown))
}
