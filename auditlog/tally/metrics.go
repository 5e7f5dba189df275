package tally

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// metricName is a gauge of kube-apiserver. It is 1 for each deprecated API that
// was requested since the server started (k8s.io/apiserver,
// pkg/endpoints/metrics/metrics.go).
const metricName = "apiserver_requested_deprecated_apis"

// MetricRow is one row of the gauge.
type MetricRow struct{ Group, Version, Resource, Subresource, Removed string }

// String returns a text such as "policy/v1beta1 podsecuritypolicies (removed in
// 1.25)".
func (m MetricRow) String() string {
	a := API{Group: m.Group, Version: m.Version, Resource: m.Resource, Subresource: m.Subresource}
	if m.Removed == "" {
		return a.String()
	}
	return a.String() + " (removed in " + m.Removed + ")"
}

// maxMetrics is the largest number of rows that are read. A server has one row
// for each deprecated API that was requested.
const maxMetrics = 100_000

// ReadMetrics reads the rows with a value other than zero from the text of
// /metrics. An error names the line.
func ReadMetrics(r io.Reader) ([]MetricRow, error) {
	var out []MetricRow
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, long, err := in.ReadLine()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		text := string(line)
		for long && err == nil { // rows of the gauge are shorter
			_, long, err = in.ReadLine()
			text = ""
		}
		rest, ok := strings.CutPrefix(text, metricName)
		if !ok || rest == "" || rest[0] != '{' {
			continue
		}
		labels, rest, err := parseLabels(rest[1:])
		if err != nil {
			return out, fmt.Errorf("line %d: %w", n, err)
		}
		value, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if value == "" {
			return out, fmt.Errorf("line %d: the row has no value", n)
		}
		if value == "0" {
			continue
		}
		if len(out) == maxMetrics {
			return out, fmt.Errorf("line %d: more than %d rows of %s", n, maxMetrics, metricName)
		}
		out = append(out, MetricRow{labels["group"], labels["version"], labels["resource"], labels["subresource"], labels["removed_release"]})
	}
}

// parseLabels reads name="value" pairs up to the closing brace.
func parseLabels(s string) (labels map[string]string, rest string, err error) {
	labels = map[string]string{}
	for {
		s = strings.TrimLeft(s, " ,")
		if after, ok := strings.CutPrefix(s, "}"); ok {
			return labels, after, nil
		}
		name, after, ok := strings.Cut(s, `="`)
		if !ok {
			return nil, "", fmt.Errorf("malformed labels")
		}
		var value strings.Builder
		i := 0
		for ; i < len(after) && after[i] != '"'; i++ {
			c := after[i]
			if c == '\\' && i+1 < len(after) {
				i++
				if c = after[i]; c == 'n' {
					c = '\n'
				}
			}
			value.WriteByte(c)
		}
		if i == len(after) {
			return nil, "", fmt.Errorf("malformed labels")
		}
		labels[name] = value.String()
		s = after[i+1:]
	}
}

// Join compares the gauge with the logs.
//
//   - unexplained are rows of the gauge for APIs without a request in the logs:
//     the log is incomplete or begins too late.
//   - unmeasured are deprecated APIs with requests in the logs that the gauge
//     does not have: the log is from another server, or begins before the
//     server's last start.
func (r *Report) Join(rows []MetricRow) (unexplained, unmeasured []MetricRow) {
	seen := map[MetricRow]bool{}
	for _, g := range r.Groups {
		if g.Count == g.Derived {
			continue // the server has not marked it as deprecated
		}
		seen[MetricRow{g.API.Group, g.API.Version, g.API.Resource, g.API.Subresource, g.Removed}] = true
	}
	measured := map[MetricRow]bool{}
	for _, m := range rows {
		measured[m] = true
		if !seen[m] {
			unexplained = append(unexplained, m)
		}
	}
	for m := range seen {
		if !measured[m] {
			unmeasured = append(unmeasured, m)
		}
	}
	order := func(a, b MetricRow) int {
		return cmp.Or(strings.Compare(a.String(), b.String()), strings.Compare(a.Removed, b.Removed))
	}
	slices.SortFunc(unexplained, order)
	slices.SortFunc(unmeasured, order)
	return slices.Compact(unexplained), unmeasured
}
