package baseline

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules"
)

func finding(line int, file, name, message string) rules.Finding {
	return rules.Finding{
		Rule: "deprecatedapi", Severity: rules.Warning, Message: message, File: file,
		Line: line, Column: 1, EndLine: line, EndColumn: 9, Document: line,
		Object: &rules.ObjectRef{APIVersion: "policy/v1beta1", Kind: "PodDisruptionBudget", Name: name},
	}
}

func TestAccept(t *testing.T) {
	var r Recorder
	r.Add(finding(1, "a.yaml", "x", "old"), "a.yaml")
	r.Add(finding(9, "a.yaml", "x", "old"), "a.yaml")
	r.Add(finding(3, "b.yaml", "x", `key "k" is set before, on line 7`), "b.yaml")
	if r.Len() != 3 {
		t.Errorf("Len = %d, want 3", r.Len())
	}
	b := New(r.Entries())
	for _, tt := range []struct {
		what string
		f    rules.Finding
		want bool
	}{
		{"moved", finding(100, "a.yaml", "x", "old"), true},
		{"another object", finding(1, "a.yaml", "y", "old"), false},
		{"another file", finding(1, "c.yaml", "x", "old"), false},
		{"another message", finding(1, "a.yaml", "x", "new"), false},
		{"the second copy", finding(2, "a.yaml", "x", "old"), true},
		{"a third copy", finding(2, "a.yaml", "x", "old"), false},
		{"a message with another line", finding(4, "b.yaml", "x", `key "k" is set before, on line 8`), true},
	} {
		if got := b.Accept(tt.f, tt.f.File); got != tt.want {
			t.Errorf("%s: accepted = %v, want %v", tt.what, got, tt.want)
		}
	}
	if (&Baseline{}).Accept(finding(1, "a.yaml", "x", "old"), "a.yaml") {
		t.Error("an empty baseline accepted a finding")
	}
}

func TestStale(t *testing.T) {
	var r Recorder
	for _, file := range []string{"a.yaml", "b.yaml", "b.yaml", "gone.yaml"} {
		r.Add(finding(1, file, "x", "old"), file)
	}
	b := New(r.Entries())
	b.Accept(finding(5, "b.yaml", "x", "old"), "b.yaml")
	if got := b.Stale(func(rule, file string) bool { return rule == "deprecatedapi" && file != "a.yaml" }); got != 2 {
		t.Errorf("Stale = %d, want 2", got)
	}
}

func TestEncode(t *testing.T) {
	var r Recorder
	r.Add(finding(1, "b.yaml", "x", "old <a & b>"), "b.yaml")
	r.Add(rules.Finding{Rule: "syntax", Message: "bad", File: "a.yaml", Line: 3}, "a.yaml")
	r.Keep(Entry{Rule: "syntax", File: "a.yaml", Message: "bad", Count: 2})
	got, err := Encode(r.Entries())
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "findings": [
    {"rule":"syntax","file":"a.yaml","message":"bad","count":3},
    {"rule":"deprecatedapi","file":"b.yaml","object":{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","namespace":"","name":"x"},"message":"old <a & b>","count":1}
  ]
}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("Encode (-want +got):\n%s", diff)
	}
	back, err := Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Entries(), back); diff != "" {
		t.Errorf("Decode (-want +got):\n%s", diff)
	}
	empty, err := Encode(nil)
	if err != nil || string(empty) != "{\n  \"version\": 1,\n  \"findings\": []\n}\n" {
		t.Errorf("Encode(nil) = %q, %v", empty, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "unexpected end of JSON input",
		"{}":                         `it has no "version"`,
		`{"version": 2}`:             "baseline format 2, but this kubevet knows only 1",
		`{"version":"1"}`:            "cannot unmarshal",
		`{"version":1,"finding":[]}`: `unknown field "finding"`,
		`{"version":1,"findings":[{"rule":"syntax"}]}`:                                        "findings[0] needs",
		`{"version":1,"findings":[{"rule":"a","file":"b","message":"c","count":0}]}`:          "findings[0] needs",
		`{"version":1,"findings":[{"rule":"a","file":"b","message":"c","count":1,"line":3}]}`: `unknown field "line"`,
		"\x00\x01": "invalid character",
	} {
		if _, err := Decode(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Decode(%q) = %v, want %q", text, err, want)
		}
	}
}

func TestName(t *testing.T) {
	root := t.TempDir()
	repo, sub := filepath.Join(root, "repo"), filepath.Join(root, "repo", "sub")
	for _, tt := range []struct{ base, dir, file, want string }{
		{repo, repo, "a/b.yaml", "a/b.yaml"},
		{repo, repo, "./a/b.yaml", "a/b.yaml"},
		{repo, sub, "b.yaml", "sub/b.yaml"},
		{repo, sub, "../a/b.yaml", "a/b.yaml"},
		{sub, repo, "a/b.yaml", "../a/b.yaml"},
		{repo, sub, filepath.ToSlash(filepath.Join(repo, "a", "b.yaml")), "a/b.yaml"},
		{repo, sub, "-", "-"},
	} {
		if got := Name(tt.base, tt.dir, tt.file); got != tt.want {
			t.Errorf("Name(%q, %q, %q) = %q, want %q", tt.base, tt.dir, tt.file, got, tt.want)
		}
	}
}

// FuzzDecode holds that no file makes Decode panic, and that what it accepts
// survives another round.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"findings":[{"rule":"a","file":"b","object":{"apiVersion":"v1","kind":"Pod"},"path":"p","message":"c","count":1}]}`))
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		written, err := Encode(entries)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(bytes.NewReader(written))
		if err != nil || len(back) != len(entries) {
			t.Fatalf("second round: %d entries, %v, want %d", len(back), err, len(entries))
		}
	})
}
