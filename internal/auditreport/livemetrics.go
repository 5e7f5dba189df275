package auditreport

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxSeries is the maximal number of time series of one metric. The requests of all
// further clients are counted in one series.
const maxSeries = 200

// maxLabel is the maximal length of a label's value in bytes. It is limited because
// clients choose their agents.
const maxLabel = 200

// otherLabel is the value of all labels of the series for the requests beyond maxSeries.
const otherLabel = "(other)"

// WriteMetrics writes the metrics of a live run in the Prometheus text format. Counters
// never decrease, because the series of the first maxSeries clients stay.
func (d *Document) WriteMetrics(w io.Writer) error {
	out := &exposition{w: w}
	deprecated := newSeries("user", "agent", "api", "removed_release")
	for i := range d.uses {
		r := &d.uses[i]
		deprecated.add(r.First, r.Count, r.values[useUser], r.values[useAgent], r.values[useAPI], r.Removed)
	}
	deprecated.write(out, "counter", "kubevet_audit_deprecated_requests_total", "Requests to APIs that are removed or deprecated.")
	unnamed := newSeries("user", "agent")
	for i := range d.Clients {
		if c := &d.Clients[i]; c.Unnamed > 0 {
			unnamed.add(c.First, c.Unnamed, c.User, c.Agent)
		}
	}
	unnamed.write(out, "counter", "kubevet_audit_unnamed_writes_total", "Writes without a field manager.")
	fights, ongoing := newSeries("rule", "group", "resource", "namespace", "name"), map[string]int64{}
	for i := range d.Fights {
		f := &d.Fights[i]
		if f.Ongoing {
			ongoing[f.Rule]++
		}
		fights.add(f.First, f.Reversals, f.Rule, f.Object.Group, f.Object.Resource, f.Object.Namespace, f.Object.Name)
	}
	fights.write(out, "gauge", "kubevet_audit_fight_reversals", "Reversals of values by writers that fight over an object, as far as its writes are remembered.")
	out.header("gauge", "kubevet_audit_fights", "Objects over which writers fight now.")
	for _, rule := range []string{"fieldfight", "selfflap"} {
		out.sample(ongoing[rule], "rule", rule)
	}
	for _, m := range []struct {
		name, help string
		n          int64
	}{
		{"kubevet_audit_requests_total", "Requests that were counted.", d.Summary.Requests},
		{"kubevet_audit_damaged_records_total", "Records that could not be read.", d.Summary.Damaged},
	} {
		out.header("counter", m.name, m.help)
		out.sample(m.n)
	}
	return out.err
}

// series is a metric with its samples.
type series struct {
	labels []string
	rows   []seriesRow
	by     map[string]int
}

type seriesRow struct {
	values []string
	first  string // time of the first request
	n      int64
}

func newSeries(labels ...string) *series { return &series{labels: labels, by: map[string]int{}} }

// add adds n to the sample with these label values. first is the time of the first
// request.
func (s *series) add(first string, n int64, values ...string) {
	for i, v := range values {
		values[i] = v[:min(len(v), maxLabel)]
	}
	key := fmt.Sprintf("%q", values)
	at, known := s.by[key]
	if !known {
		at = len(s.rows)
		s.by[key] = at
		s.rows = append(s.rows, seriesRow{values: values, first: first})
	}
	row := &s.rows[at]
	row.n += n
	if row.first == "" || first != "" && first < row.first {
		row.first = first
	}
}

func (s *series) write(out *exposition, kind, name, help string) {
	out.header(kind, name, help)
	slices.SortFunc(s.rows, func(a, b seriesRow) int {
		return cmp.Or(strings.Compare(a.first, b.first), slices.Compare(a.values, b.values))
	})
	rest := int64(0)
	for i, row := range s.rows {
		if i >= maxSeries {
			rest += row.n
			continue
		}
		out.sample(row.n, s.pairs(row.values)...)
	}
	if rest > 0 {
		out.sample(rest, s.pairs(slices.Repeat([]string{otherLabel}, len(s.labels)))...)
	}
}

// pairs returns the arguments of exposition.sample: each label followed by its value.
func (s *series) pairs(values []string) []string {
	var out []string
	for i, name := range s.labels {
		out = append(out, name, values[i])
	}
	return out
}
