package auditreport

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/report"
)

// useDimensions returns the columns of Document.uses. useRelease and the constants below
// it are the indices of these columns.
func useDimensions() []tally.Dimension {
	return []tally.Dimension{tally.ByRelease, tally.ByUser, tally.ByAgent, tally.ByAPI}
}

const (
	useRelease = iota
	useUser
	useAgent
	useAPI
)

// These are the states of a client's use of a deprecated or removed API.
const (
	stateRejected = "rejected already"
	stateGone     = "gone at the target"
	stateLater    = "removed later"
	stateOld      = "deprecated"
	stateWildcard = "reads everything"
)

func useState(r *Row) string {
	switch {
	case r.Wildcard:
		return stateWildcard
	case r.unserved:
		return stateRejected
	case r.Gone:
		return stateGone
	case r.Removed != "":
		return stateLater
	}
	return stateOld
}

// usesSheet returns the table of clients and the deprecated or removed APIs that they
// use. If rejected is true, the table has the clients whose requests the server answers
// with 404 today.
func usesSheet(d *Document, l Look, rejected bool) *sheet {
	s := &sheet{ID: "uses", Title: "Clients and the old APIs that they use", Empty: "No request used an old API.",
		Columns: []column{{Title: "Gone in", Kind: "release", Pick: true}, {Title: "State", Kind: "state", Pick: true}, {Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"}, {Title: "API", Kind: "list"},
			{Title: "Use instead", Kind: "list"}, {Title: "Requests", Kind: "number"}, {Title: "First request", Kind: "place", Screen: true}, {Title: "First", Kind: "time"}, {Title: "Last", Kind: "time"}, {Title: "Unmarked", Kind: "number"}}}
	if rejected {
		s.ID, s.Title, s.Empty = "rejected", "Requests that return 404 already", "None: the server serves every API that clients ask for."
	}
	order := slices.DeleteFunc(slices.Clone(d.uses), func(r Row) bool { return rejected != (r.unserved && !r.Wildcard) })
	slices.SortStableFunc(order, func(a, b Row) int {
		for _, c := range []int{
			truth(a.Wildcard) - truth(b.Wildcard), truth(b.unserved) - truth(a.unserved), truth(b.Gone) - truth(a.Gone), compareReleases(a.Removed, b.Removed), compare(b.Count, a.Count),
		} {
			if c != 0 {
				return c
			}
		}
		return 0
	})
	for i := range order {
		r := &order[i]
		instead := r.Replacements
		if len(instead) == 0 {
			instead = []string{"-"}
		}
		s.Rows = append(s.Rows, []any{orDash(visible(r.Removed)), useState(r), visible(r.values[useUser]), visible(r.values[useAgent]), visibles(r.APIs),
			visibles(instead), r.Count, logPlaceCell(l, r.firstPlace.Input, r.firstPlace.Line, firstOrEmpty(r.AuditIDs)), clock(r.First), clock(r.Last), r.Unannotated})
	}
	return s
}

func firstOrEmpty(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// groupBySheet returns the table with the columns of --group-by. It returns nil if these
// are the default columns.
func groupBySheet(d *Document) *sheet {
	var by []string
	for _, x := range tally.DefaultDimensions() {
		by = append(by, string(x))
	}
	if slices.Equal(by, d.Deprecated.GroupBy) || len(d.Deprecated.GroupBy) == 0 {
		return nil
	}
	s := &sheet{ID: "asked", Title: "Grouped as asked for", Empty: "No request used an old API."}
	for _, by := range d.Deprecated.GroupBy {
		kind := "text"
		if by == "release" {
			kind = "release"
		}
		s.Columns = append(s.Columns, column{Title: sentenceCase(titles[by]), Kind: kind, Pick: by == "release" || by == "verb" || by == "code"})
	}
	s.Columns = append(s.Columns, column{Title: "State", Kind: "state", Pick: true}, column{Title: "Requests", Kind: "number"}, column{Title: "First", Kind: "time"}, column{Title: "Last", Kind: "time"})
	for i := range d.Deprecated.Rows {
		r := &d.Deprecated.Rows[i]
		var row []any
		for _, v := range r.values {
			row = append(row, orDash(visible(v)))
		}
		s.Rows = append(s.Rows, append(row, useState(r), r.Count, clock(r.First), clock(r.Last)))
	}
	if d.Deprecated.Left > 0 {
		s.Note = "--top left out " + report.Count(d.Deprecated.Left, "row") + "."
	}
	return s
}

// sentenceCase converts a heading such as "LAST SEEN" to "Last seen".
func sentenceCase(s string) string {
	if s == "API" {
		return s
	}
	s = strings.ToLower(s)
	s = strings.ToUpper(s[:1]) + s[1:]
	return strings.Replace(s, " ip", " IP", 1)
}

func metricsSheet(d *Document) *sheet {
	if d.Metrics == nil {
		return nil
	}
	s := &sheet{ID: "metrics", Title: "The server's metrics beside the log", Empty: "Every row of the metrics is explained by the log, and the reverse.",
		Columns: []column{{Title: "API", Kind: "text"}, {Title: "What is missing", Kind: "text", Pick: true}}}
	for _, row := range d.Metrics.Unexplained {
		s.Rows = append(s.Rows, []any{visible(row), "measured, but no request is in the log"})
	}
	for _, row := range d.Metrics.Unmeasured {
		s.Rows = append(s.Rows, []any{visible(row), "in the log, but not measured"})
	}
	return s
}

// maxPeriods is the maximal number of APIs to draw for one client.
const maxPeriods = 8

func timelineSheet(d *Document) *sheet {
	s := &sheet{ID: "times", Title: "Clients over time", Empty: "No request used an old API.",
		Columns: []column{{Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"}, {Title: "State", Kind: "state", Pick: true}, {Title: "Use", Kind: "spans"}, {Title: "Requests", Kind: "number"}, {Title: "First", Kind: "time"}, {Title: "Last", Kind: "time"}}}
	type lane struct {
		user, agent, state, first, last string
		count                           int64
		rows                            []*Row
	}
	by := map[string]*lane{}
	var order []*lane
	rank := map[string]int{stateRejected: 0, stateGone: 1, stateLater: 2, stateOld: 3, stateWildcard: 4}
	for i := range d.uses {
		r := &d.uses[i]
		user, agent, state := r.values[useUser], r.values[useAgent], useState(r)
		l := by[user+"\x00"+agent]
		if l == nil {
			l = &lane{user: user, agent: agent, state: state, first: r.First, last: r.Last}
			by[user+"\x00"+agent] = l
			order = append(order, l)
		}
		if rank[state] < rank[l.state] {
			l.state = state
		}
		l.count += r.Count
		if r.First != "" && (l.first == "" || r.First < l.first) {
			l.first = r.First
		}
		l.last = max(l.last, r.Last)
		l.rows = append(l.rows, r)
	}
	slices.SortStableFunc(order, func(a, b *lane) int {
		if c := rank[a.state] - rank[b.state]; c != 0 {
			return c
		}
		return compare(b.count, a.count)
	})
	for _, l := range order {
		slices.SortStableFunc(l.rows, func(a, b *Row) int { return compare(b.Count, a.Count) })
		uses := []usePeriod{}
		for i, r := range l.rows {
			if i == maxPeriods {
				uses = append(uses, usePeriod{From: -1, To: -1, Text: "and " + report.Count(len(l.rows)-i, "more API")})
				break
			}
			text := fmt.Sprintf("%s: %s, %s to %s", visible(r.values[useAPI]), times(r.Count), clock(r.First), clock(r.Last))
			uses = append(uses, d.usePeriod(r, text))
		}
		s.Rows = append(s.Rows, []any{visible(l.user), visible(l.agent), l.state, uses, l.count, clock(l.first), clock(l.last)})
	}
	if d.Summary.First != "" {
		s.Note = "The strips are between " + clock(d.Summary.First) + " and " + clock(d.Summary.Last) + "."
	}
	return s
}

func (d *Document) usePeriod(r *Row, text string) usePeriod {
	s := usePeriod{From: d.fractionInLogs(r.First), To: d.fractionInLogs(r.Last), State: useState(r), Text: text}
	if len(r.Timeline) == 0 || r.Step <= 0 {
		return s
	}
	first, err := time.Parse(time.RFC3339, r.Timeline[0].At)
	if err != nil {
		return s
	}
	step := time.Duration(r.Step) * time.Second
	s.At, s.Step = clock(r.Timeline[0].At), r.Step
	s.Begin, s.Width = d.fraction(first), 1
	if from, to, ok := d.span(); ok {
		s.Width = rounded(float64(step) / float64(to.Sub(from)))
	}
	most, busiest := int64(0), ""
	for _, x := range r.Timeline {
		at, err := time.Parse(time.RFC3339, x.At)
		n := int64(at.Sub(first) / step)
		if err != nil || n < int64(len(s.Counts)) || n >= maxSteps {
			continue
		}
		for int64(len(s.Counts)) < n {
			s.Counts = append(s.Counts, 0)
		}
		s.Counts = append(s.Counts, x.Requests)
		if x.Requests > most {
			most, busiest = x.Requests, x.At
		}
	}
	if len(r.Timeline) > 1 {
		s.Text += fmt.Sprintf(", most from %s on: %s in %s", clock(busiest), times(most), durationText(r.Step))
	}
	return s
}

// maxSteps is the maximal number of intervals to draw for one API.
const maxSteps = 120

// durationText returns a duration in seconds as text, such as "2 hours".
func durationText(seconds int64) string {
	for _, u := range []struct {
		length int64
		name   string
	}{{86400, "day"}, {3600, "hour"}, {60, "minute"}} {
		if seconds%u.length == 0 {
			return report.Count(int(seconds/u.length), u.name)
		}
	}
	return report.Count(int(seconds), "second")
}

// fractionInLogs returns a time as a fraction of the duration of the logs: 0 is the start
// and 1 the end. Times outside the logs become 0 or 1.
func (d *Document) fractionInLogs(at string) float64 {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return 0
	}
	return min(max(d.fraction(t), 0), 1)
}

// fraction is like fractionInLogs, but times before the logs are less than 0 and times
// after them more than 1.
func (d *Document) fraction(at time.Time) float64 {
	from, to, ok := d.span()
	if !ok {
		return 0
	}
	return rounded(float64(at.Sub(from)) / float64(to.Sub(from)))
}

// span returns the start and the end of the logs. ok is false if they are equal or
// unknown.
func (d *Document) span() (from, to time.Time, ok bool) {
	from, err1 := time.Parse(time.RFC3339, d.Summary.First)
	to, err2 := time.Parse(time.RFC3339, d.Summary.Last)
	return from, to, err1 == nil && err2 == nil && to.After(from)
}

// rounded returns f with four decimal places, which is enough for a drawing.
func rounded(f float64) float64 { return math.Round(f*1e4) / 1e4 }
