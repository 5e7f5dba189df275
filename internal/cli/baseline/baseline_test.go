package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
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

func encodeText(t testing.TB, b *Baseline) string {
	t.Helper()
	var text strings.Builder
	if err := Encode(&text, b.Entries()); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func encodeAndDecode(t testing.TB, b *Baseline) *Baseline {
	t.Helper()
	back, err := Decode(strings.NewReader(encodeText(t, b)))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestAccept(t *testing.T) {
	var r Baseline
	r.Add(finding(1, "a.yaml", "x", "old"), "a.yaml")
	r.Add(finding(9, "a.yaml", "x", "old"), "a.yaml")
	r.Add(finding(3, "b.yaml", "x", `key "k" is set before, on line 7`), "b.yaml")
	if r.Len() != 3 {
		t.Errorf("Len = %d, want 3", r.Len())
	}
	b := encodeAndDecode(t, &r)
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
	var r Baseline
	for _, file := range []string{"a.yaml", "b.yaml", "b.yaml", "gone.yaml"} {
		r.Add(finding(1, file, "x", "old"), file)
	}
	b := encodeAndDecode(t, &r)
	b.Accept(finding(5, "b.yaml", "x", "old"), "b.yaml")
	if got := b.Stale(func(rule, file string) bool { return rule == "deprecatedapi" && file != "a.yaml" }); got != 2 {
		t.Errorf("Stale = %d, want 2", got)
	}
}

func TestEncode(t *testing.T) {
	var r Baseline
	r.Add(finding(1, "b.yaml", "x", "old <a & b>"), "b.yaml")
	r.Add(rules.Finding{Rule: "syntax", Message: "bad", File: "a.yaml", Line: 3}, "a.yaml")
	r.Keep(Entry{Rule: "syntax", File: "a.yaml", Message: "bad", Count: 2})
	got := encodeText(t, &r)
	want := `{
  "version": 1,
  "findings": [
    {"rule":"syntax","file":"a.yaml","message":"bad","count":3},
    {"rule":"deprecatedapi","file":"b.yaml","object":{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","namespace":"","name":"x"},"message":"old <a & b>","count":1}
  ]
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Encode (-want +got):\n%s", diff)
	}
	back := encodeAndDecode(t, &r)
	if diff := cmp.Diff(slices.Collect(r.Entries()), slices.Collect(back.Entries())); diff != "" {
		t.Errorf("Decode (-want +got):\n%s", diff)
	}
	if empty := encodeText(t, &Baseline{}); empty != "{\n  \"version\": 1,\n  \"findings\": []\n}\n" {
		t.Errorf("an empty baseline is %q", empty)
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

// TestKey checks that keys sort like their fields, for all bytes in the fields.
func TestKey(t *testing.T) {
	texts := []string{"", "\x00", "\x00\x01", "\x00\x02", "\x01", "a", "a\x00", "a\x00b", "b", "\xff"}
	for _, a := range texts {
		for _, b := range texts {
			e := Entry{Rule: "r", File: a, Message: b, Count: 1}
			if diff := cmp.Diff(e, decodeKey(key(&e), 1)); diff != "" {
				t.Errorf("%q, %q (-want +got):\n%s", a, b, diff)
			}
			x, y := Entry{File: a, Message: "m"}, Entry{File: b, Message: "l"}
			if a != b && strings.Compare(key(&x), key(&y)) != strings.Compare(a, b) {
				t.Errorf("%q and %q have another order as keys", a, b)
			}
		}
	}
}

func TestDecodeReadError(t *testing.T) {
	broken := errors.New("broken")
	_, err := Decode(io.MultiReader(strings.NewReader(`{"version":1,`), failing{broken}))
	if err != broken {
		t.Errorf("error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestDecodeIsBounded checks that the memory for a file depends on the number of its
// findings, and not on the number of its brackets.
func TestDecodeIsBounded(t *testing.T) {
	for _, text := range []string{
		`{"version":1,"findings":[` + strings.Repeat("{},", 1<<20) + `{}]}`,
		`{"version":1,` + strings.Repeat(" ", 4<<20) + `]`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode(strings.NewReader(text))
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("accepted %.40s", text)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
			t.Errorf("%.40s took %d MiB", text, n>>20)
		}
	}
}

// maxPerFinding is the maximal memory for one finding in a baseline, in bytes.
const maxPerFinding = 400

func TestMemory(t *testing.T) {
	const n = 100_000
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	var b Baseline
	for i := range n {
		b.Add(finding(i, "deploy/production/budgets.yaml", fmt.Sprint("budget-", i),
			"policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget"), "deploy/production/budgets.yaml")
	}
	if each := (heap() - before) / n; each > maxPerFinding {
		t.Errorf("a finding takes %d bytes", each)
	}
	if b.Len() != n {
		t.Errorf("%d findings", b.Len())
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

// FuzzDecode checks that no file makes Decode panic. An accepted file must have the same
// entries after encoding and decoding.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"findings":[{"rule":"a","file":"b","object":{"apiVersion":"v1","kind":"Pod"},"path":"p","message":"c","count":1}]}`))
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		if diff := cmp.Diff(slices.Collect(b.Entries()), slices.Collect(encodeAndDecode(t, b).Entries())); diff != "" {
			t.Fatalf("second round:\n%s", diff)
		}
	})
}
