package auditreport

import "testing"

func TestHeadline(t *testing.T) {
	use := func(user string, change func(*Row)) Row {
		r := Row{Removed: "1.25", values: []string{"1.25", user, "agent", "api"}}
		change(&r)
		return r
	}
	gone := func(r *Row) { r.Gone = true }
	for _, c := range []struct {
		name       string
		uses       []Row
		fights     []Fight
		requests   int64
		tone, text string
		more       string
	}{
		{"nothing", nil, nil, 9, "go", "No client must change before 1.25, and no writers fight.", ""},
		{"no requests", nil, nil, 0, "care", "The logs have no requests.", ""},
		{"one client", []Row{use("a", gone), use("a", gone)}, nil, 9, "stop", "1 client must change before 1.25.", ""},
		{"the control plane", []Row{use("system:apiserver", gone)}, nil, 9, "go", "No client must change before 1.25, and no writers fight.", ""},
		{"fights", nil, []Fight{{Ongoing: true}, {}}, 9, "care", "2 fights (1 ongoing).", ""},
		{"rejected and deprecated", []Row{use("a", func(r *Row) { r.unserved = true }), use("b", func(*Row) {}), use("c", func(*Row) {})}, nil, 9, "go",
			"No client must change before 1.25, and no writers fight.", "1 client asks for APIs that this server answers with 404 today. 2 clients use APIs that 1.25 serves and that are deprecated."},
		{"reads everything", []Row{use("a", func(r *Row) { r.Gone, r.Wildcard = true, true })}, nil, 9, "go", "No client must change before 1.25, and no writers fight.", ""},
	} {
		d := &Document{uses: c.uses, Fights: c.fights}
		d.Summary.Target, d.Summary.Requests = "1.25", c.requests
		if got := d.headline(); got.Tone != c.tone || got.Text != c.text || got.More != c.more {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestHeadlineOfRange checks that the headline names the last release of a range of
// targets.
func TestHeadlineOfRange(t *testing.T) {
	d := &Document{uses: []Row{{Removed: "1.25", Gone: true, values: []string{"1.25", "a", "agent", "api"}}}}
	d.Summary.Target, d.Summary.Requests = "1.24..1.33", 9
	if got := d.headline().Text; got != "1 client must change before 1.33, the first before 1.25." {
		t.Error(got)
	}
}

// TestRates checks that rates for each hour are shown only if the logs cover at least one
// hour.
func TestRates(t *testing.T) {
	for last, want := range map[string]bool{"2026-11-21T10:50:00Z": false, "2026-11-21T11:00:00Z": true, "": false} {
		d := &Document{Fights: []Fight{{Rule: "fieldfight", RatePerHour: 7}}}
		d.Summary.First, d.Summary.Last = "2026-11-21T10:00:00Z", last
		s := fightsSheet(d, Look{})
		if got := s.Columns[3].Title == "An hour"; got != want || len(s.Columns) != len(s.Rows[0]) {
			t.Errorf("until %q: %v, %d cells in %d columns", last, got, len(s.Rows[0]), len(s.Columns))
		}
	}
}
