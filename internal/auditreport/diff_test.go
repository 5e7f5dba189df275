package auditreport

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// diffDocument returns a report over some hours. It has a fight, and requests of one
// client to one deprecated API.
func diffDocument(hours int, count, reversals int64) *Document {
	d := &Document{}
	d.Summary.First, d.Summary.Last = "2026-11-21T00:00:00Z", "2026-11-21T"+map[int]string{6: "06", 12: "12"}[hours]+":00:00Z"
	if count > 0 {
		d.Deprecated.Rows = []Row{
			{Group: map[string]string{"user": "u\x1b[31m", "agent": "a", "api": "policy/v1beta1 poddisruptionbudgets", "release": "1.25"}, Count: count, Removed: "1.25", Gone: true},
			{Group: map[string]string{"user": "reader"}, Count: 1, Wildcard: true},
		}
	}
	if reversals > 0 {
		d.Fights = []Fight{{
			Rule: "fieldfight", Object: FightObject{Group: "apps", Resource: "deployments", Namespace: "n", Name: "web"}, Reversals: reversals, Ongoing: true,
			Writers: []FightWriter{{User: "b", Agent: "x"}, {User: "a", Agent: "x"}},
		}}
	}
	return d
}

// TestDiff checks that NewDiff compares rates for each day, and not the counts of each
// report.
func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after *Document
		want          string
	}{
		{"new", diffDocument(6, 0, 0), diffDocument(6, 3, 0), "new removedapi"},
		{"gone", diffDocument(6, 3, 0), diffDocument(6, 0, 0), "gone removedapi"},
		{"as before, for longer", diffDocument(6, 4, 0), diffDocument(12, 8, 0), ""},
		{"worse", diffDocument(6, 4, 0), diffDocument(6, 7, 0), "worse removedapi"},
		{"better, though more", diffDocument(6, 4, 0), diffDocument(12, 5, 0), "better removedapi"},
		{"a new fight", diffDocument(6, 1, 0), diffDocument(6, 1, 9), "new fieldfight"},
	} {
		d := NewDiff(c.before, c.after, "old.kvs", "new.kvs")
		var got []string
		for _, ch := range d.Changes {
			got = append(got, ch.Status+" "+ch.Rule)
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %v, want %q", c.name, got, c.want)
		}
	}
	d := NewDiff(diffDocument(6, 0, 0), diffDocument(6, 3, 9), "old.kvs", "new.kvs")
	if f := d.Changes[0]; f.What != "deployments.apps n/web" || f.User != "a, b" || f.Agent != "x" || f.Detail != "still going" || f.NewRate != 36 {
		t.Errorf("%+v", f)
	}
	after := diffDocument(12, 9, 0)
	row := &after.Deprecated.Rows[0]
	row.First, row.Last, row.Step = "2026-11-21T00:00:00Z", "2026-11-21T02:10:00Z", 3600
	row.Timeline = []UseStep{{"2026-11-21T00:00:00Z", 3}, {"2026-11-21T01:00:00Z", 3}, {"2026-11-21T02:00:00Z", 3}}
	if c := NewDiff(diffDocument(6, 0, 0), after, "old.kvs", "new.kvs").Changes[0]; c.Detail != "gone in 1.25; none since 2026-11-21T02:10:00Z" {
		t.Errorf("a use that came to its end: %+v", c)
	}
	row.Last, row.Timeline[2].At = "2026-11-21T05:10:00Z", "2026-11-21T05:00:00Z"
	if c := NewDiff(diffDocument(6, 0, 0), after, "old.kvs", "new.kvs").Changes[0]; c.Detail != "gone in 1.25" {
		t.Errorf("a use that may come again: %+v", c)
	}
	var table, markdown, text bytes.Buffer
	for format, w := range map[string]*bytes.Buffer{"table": &table, "markdown": &markdown, "json": &text} {
		if err := d.Write(format, w, Look{}); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(table.String()+markdown.String(), "\x1b") {
		t.Error("a client's words were not made harmless")
	}
	schema, err := jsonschema.NewCompiler().Compile("../../schema/auditdiff.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(text.Bytes(), &value); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
	if err := d.Write("yaml", &text, Look{}); err == nil || !strings.Contains(err.Error(), "want one of table, markdown, json") {
		t.Errorf("error %v", err)
	}
}
