package auditreport

import (
	"io"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/tally"
)

// someTurns has turns of two writers that may be a fight.
var someTurns = contention.Turns{
	Object: contention.Object{Group: "apps", Resource: "deployments", Namespace: "shop", Name: "web"}, Turns: 24, First: 1e15, Last: 1e15 + 3600e6,
	Sides: []contention.TurnSide{
		{Writer: contention.Writer{User: "ci", Agent: "deployer"}, How: []contention.How{contention.HowPatch}, Writes: 12, After: 300e6},
		{Writer: contention.Writer{User: "op", Agent: "operator"}, How: []contention.How{contention.HowUpdate, contention.HowScale}, Writes: 13, After: 20e3},
	},
	Examples: []contention.Turn{{At: 1e15 + 3600e6, Side: 1, How: contention.HowScale, Place: contention.Place{Input: "a.log", Line: 7}, AuditID: "id-7"}},
}

// TestTurnsAreInEveryFormat checks that every format shows the writers, methods and times
// of turns that may be a fight. The formats must also say how to find out whether the
// writers fight. The formats of findings show the note.
func TestTurnsAreInEveryFormat(t *testing.T) {
	d := New(tally.New(tally.Config{}).Report(), &auditlog.Summary{Events: 1}, Options{Contention: &contention.Report{Undecided: 1, Turns: []contention.Turns{someTurns}}})
	for _, format := range Formats() {
		want := []string{"deployments", "shop", "web", "deployer", "operator", "patch", "id-7", "24", "which fields", "Request"}
		switch format {
		case "prometheus", "text", "sarif", "junit", "github":
			want = []string{"deployments.apps shop/web", "which fields they write is not in the log"}
		}
		out := string(render(t, d, format))
		for _, part := range want {
			if !strings.Contains(strings.ReplaceAll(out, `\`, ""), part) {
				t.Errorf("format %s lacks %q", format, part)
			}
		}
	}
	if len(d.Findings) > 0 {
		t.Errorf("findings: %v", d.Findings)
	}
}

// TestNotesAreInEveryFormat checks that every format reports inputs that were not read or
// were left out. It must also report events that were counted twice or forgotten.
func TestNotesAreInEveryFormat(t *testing.T) {
	sum := &auditlog.Summary{
		Events: 1, Damaged: 1, Damage: []auditlog.Located{{Input: "a.log", Damage: auditlog.Damage{Line: 3, Column: 4, Text: "odd"}}},
		Failed: []auditlog.Failure{{Input: "c.gz", Err: io.ErrUnexpectedEOF}},
	}
	r := tally.New(tally.Config{}).Report()
	r.Filtered, r.Overflow.Forgotten, r.Overflow.Objects = 1, 1, 1
	d := New(r, sum, Options{
		Notes: []string{"about 50 % of the requests in a.kvs are counted twice"}, Filter: "user dev",
		Contention: &contention.Report{Forgotten: 2, Unread: 1, Undecided: 1, Turns: []contention.Turns{someTurns}},
	})
	want := []string{
		"about 50 % of the requests in a.kvs are counted twice",
		"1 damaged record could not be read, the first at a.log:3:4: odd",
		"not read completely: c.gz: ",
		"filters left out 1 request (user dev)",
		"whether the writers that take turns on 1 object fight is undecided, the most turns on deployments.apps shop/web: which fields they write is not in the log",
		"2 writes forgotten to bound memory",
		"the fields of 1 write not kept to bound memory",
		"1 event forgotten to bound memory",
		"1 object forgotten to bound memory",
	}
	for _, format := range Formats() {
		out := strings.NewReplacer(`\`, "", "%25", "%").Replace(string(render(t, d, format)))
		for _, note := range want {
			if !strings.Contains(out, note) {
				t.Errorf("format %s lacks %q", format, note)
			}
		}
	}
}

// TestValuesAreInEveryFormat checks that every format has the values of a fight and
// the audit IDs of its last turns.
func TestValuesAreInEveryFormat(t *testing.T) {
	d := sample(t, []string{"dev"})
	for _, format := range Formats() {
		if format == "prometheus" {
			continue // Prometheus labels do not have the values
		}
		out := string(render(t, d, format))
		for _, part := range []string{"mine", "theirs"} {
			if !strings.Contains(out, part) {
				t.Errorf("format %s lacks the value %q", format, part)
			}
		}
		for _, turn := range d.Fights[0].Turns {
			if format != "table" && format != "markdown" && !strings.Contains(out, turn.AuditID) {
				t.Errorf("format %s lacks the audit ID %q", format, turn.AuditID)
			}
		}
	}
}

func TestValueText(t *testing.T) {
	for _, c := range []struct {
		v    contention.Value
		want string
	}{
		{contention.Value{}, "not kept"},
		{contention.Value{Kind: contention.ValueAbsent}, "absent"},
		{contention.Value{Kind: contention.ValueRedacted, Text: "hunter2"}, "redacted"},
		{contention.Value{Kind: contention.ValueJSON, Text: "3", Size: 1}, "3"},
		{contention.Value{Kind: contention.ValueJSON, Text: `["a"]`, Size: 5}, `["a"]`},
		{contention.Value{Kind: contention.ValueString, Text: "3", Size: 1}, "'3'"},
		{contention.Value{Kind: contention.ValueString, Text: "", Size: 0}, "''"},
		{contention.Value{Kind: contention.ValueString, Text: "true", Size: 4}, "'true'"},
		{contention.Value{Kind: contention.ValueString, Text: "absent", Size: 6}, "'absent'"},
		{contention.Value{Kind: contention.ValueString, Text: "a, b", Size: 4}, "'a, b'"},
		{contention.Value{Kind: contention.ValueString, Text: "nginx:1.25", Size: 10}, "nginx:1.25"},
		{contention.Value{Kind: contention.ValueString, Text: "a\nb\x1b[1m", Size: 7}, `a\nb\x1b[1m`},
		{contention.Value{Kind: contention.ValueString, Text: strings.Repeat("x", 64), Size: 1000}, strings.Repeat("x", 64) + "… (1000 bytes, #0000)"},
		{contention.Value{Kind: contention.ValueString, Text: strings.Repeat("\x00", 64), Size: 64}, strings.Repeat(`\x00`, 16) + "… (64 bytes, #0000)"},
	} {
		if got := valueText(c.v); got != c.want {
			t.Errorf("%+v: %s, want %s", c.v, got, c.want)
		}
	}
}
