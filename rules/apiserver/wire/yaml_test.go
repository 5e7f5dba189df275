package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func parse(t *testing.T, text string) (*Value, []Duplicate) {
	t.Helper()
	var n yaml.Node
	if err := yaml.NewDecoder(strings.NewReader(text)).Decode(&n); err != nil {
		t.Fatal(err)
	}
	v, dups, err := YAML(&n, []byte(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	return v, dups
}

// TestPlainScalars compares Plain with gopkg.in/yaml.v2 for ambiguous scalars.
func TestPlainScalars(t *testing.T) {
	for _, text := range []string{
		"y", "Y", "n", "N", "yes", "Yes", "YES", "yEs", "no", "on", "On", "off", "OFF", "true", "True", "TRUE", "tRue",
		"false", "null", "Null", "NULL", "~", "~~", "nul", "None", "name", "type", "to", "test",
		"0", "1", "12", "007", "08", "0x1F", "0b11", "-0b11", "1_000", "+5", "-5", "-", "+", "1e3", "1E3", "1e", "5.0", "5.5", ".5", "-.5",
		"1.", ".", "..", "...x", ".inf", "-.Inf", ".nan", "1:30", "190:20:30", "2001-01-01", "2001-01-01T00:00:00Z",
		"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "1234567890123456789012",
		"0o14", "0O0", "0B1", "1.2.3", "v1", "a b", "1 2", "0x", "0b2", "-0", "+.5", "1e400", "e3", "0.1e-2",
	} {
		var want any
		if err := yamlv2.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		wantKind, wantText := jsonScalar(want, text)
		if kind, got := Plain(text); kind != wantKind || got != wantText {
			t.Errorf("%q: got %d %q, want %d %q", text, kind, got, wantKind, wantText)
		}
	}
}

// TestYAMLOneLine checks positions of several values on one line.
func TestYAMLOneLine(t *testing.T) {
	v, _ := parse(t, "{é: &x 世, b: \"\\u00e9\", c: [*x, !!str ü, w], d: 'it''s', e: , f: *x}")
	for _, c := range []struct {
		path     []string
		item     int
		pos, end Pos
	}{
		{[]string{"é"}, -1, Pos{1, 5}, Pos{1, 68}},
		{[]string{"b"}, -1, Pos{1, 14}, Pos{1, 22}},
		{[]string{"c"}, 2, Pos{1, 41}, Pos{1, 42}},
		{[]string{"d"}, -1, Pos{1, 48}, Pos{1, 55}},
		{[]string{"f"}, -1, Pos{1, 5}, Pos{1, 68}},
	} {
		got := v.At(c.path...)
		if c.item >= 0 {
			got = got.Items[c.item]
		}
		if got.Pos != c.pos || got.End != c.end {
			t.Errorf("%v: got %v-%v, want %v-%v", c.path, got.Pos, got.End, c.pos, c.end)
		}
	}
}

func TestYAMLPlaces(t *testing.T) {
	v, _ := parse(t, "a: 'it''s'\nb: |\n  x\n\n  y\nc: [1, \"q\\\"\"]\nd: two\n  words\né: ü\n")
	for _, c := range []struct {
		path     string
		pos, end Pos
	}{
		{"a", Pos{1, 4}, Pos{1, 11}},
		{"b", Pos{2, 4}, Pos{5, 4}},
		{"d", Pos{7, 4}, Pos{8, 8}},
		{"é", Pos{9, 4}, Pos{9, 5}},
	} {
		got := v.Get(c.path)
		if got.Pos != c.pos || got.End != c.end {
			t.Errorf("%s: got %v-%v, want %v-%v", c.path, got.Pos, got.End, c.pos, c.end)
		}
	}
	if q := v.Get("c").Items[1]; q.Pos != (Pos{6, 8}) || q.End != (Pos{6, 13}) {
		t.Errorf("quoted: %v-%v", q.Pos, q.End)
	}
}

func TestYAMLMerge(t *testing.T) {
	v, dups := parse(t, "x: &x {a: 1, b: 2}\ny: &y {a: 3}\nz:\n  b: 0\n  <<: [*x, *y]\n  a: 9\n")
	got := map[string]string{}
	for _, f := range v.Get("z").Fields {
		got[f.Name] = f.Value.Text
	}
	// As in yaml.v2, a merge key overwrites the fields before it.
	if diff := cmp.Diff(map[string]string{"a": "9", "b": "2"}, got); diff != "" {
		t.Error(diff)
	}
	if len(dups) != 0 {
		t.Errorf("merged fields are no duplicates: %v", dups)
	}
}

func TestYAMLDuplicates(t *testing.T) {
	v, dups := parse(t, "a:\n  - b/c: 1\n    b/c: 2\n    b/c: 3\n")
	want := []Duplicate{
		{Path: "a[0][b/c]", Name: "b/c", Pos: Pos{3, 5}, End: Pos{3, 8}, First: Pos{2, 5}},
		{Path: "a[0][b/c]", Name: "b/c", Pos: Pos{4, 5}, End: Pos{4, 8}, First: Pos{3, 5}},
	}
	if diff := cmp.Diff(want, dups); diff != "" {
		t.Error(diff)
	}
	if got := v.Get("a").Items[0].Get("b/c").Text; got != "3" {
		t.Errorf("got %s, want the last", got)
	}
}

// FuzzPlain compares Plain with gopkg.in/yaml.v2.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{"1", "-0b11", "1_0.5", "0x1p-2", ".5e3", "+.inf", "0o7", "2001-01-01", "1.2.3", "on", "~"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range text { // only texts that are one plain scalar
			if c <= ' ' || c > '~' || strings.ContainsRune("{}[],&*#?|<>=!%@`:\"'", c) {
				return
			}
		}
		if text == "" || text == "-" || strings.HasPrefix(text, "---") || strings.HasPrefix(text, "...") {
			return
		}
		var want any
		if err := yamlv2.Unmarshal([]byte(text), &want); err != nil {
			return
		}
		wantKind, wantText := jsonScalar(want, text)
		if kind, got := Plain(text); kind != wantKind || got != wantText {
			t.Errorf("%q: got %d %q, want %d %q", text, kind, got, wantKind, wantText)
		}
	})
}
