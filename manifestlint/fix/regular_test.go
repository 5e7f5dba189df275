package fix

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// compareLayouts lays out a text by its tree and by the parser: where the
// former can, the two must be the same. It reports whether it could.
func compareLayouts(t *testing.T, text []byte) bool {
	t.Helper()
	if bytes.ContainsAny(text, "&*!?") || bytes.Contains(text, []byte("<<")) || bytes.HasPrefix(text, []byte("%")) {
		return false // whoever gives a tree leaves such texts to the parser
	}
	want, err := (&Document{Text: text}).layout(text, &room{})
	if err != nil {
		return false
	}
	asked := 0
	got, err := (&Document{Text: text, Tree: func([]byte) *wire.Value { asked++; return want.tree }}).layout(text, &room{})
	if err != nil || asked != 1 {
		t.Fatalf("%q: %v, asked %d times", text, err, asked)
	}
	if got.tree != want.tree {
		return false // the parser was asked
	}
	if why := unlike(got, want); why != "" {
		t.Fatalf("%q: %s", text, why)
	}
	return true
}

// unlike says in what two layouts differ.
func unlike(got, want *layout) string {
	switch {
	case !bytes.Equal(got.text, want.text):
		return fmt.Sprintf("text %q, want %q", got.text, want.text)
	case !slices.Equal(got.lines, want.lines):
		return fmt.Sprintf("lines %v, want %v", got.lines, want.lines)
	case got.nl != want.nl || got.step != want.step || got.dash != want.dash || got.quote != want.quote || got.habits != want.habits:
		return fmt.Sprintf("habits %q %d %d %q %v, want %q %d %d %q %v", got.nl, got.step, got.dash, got.quote, got.habits, want.nl, want.step, want.dash, want.quote, want.habits)
	case !conversion.Equal(got.tree, want.tree):
		return "the trees differ"
	}
	if got, want := dumped(got.root), dumped(want.root); !reflect.DeepEqual(got, want) {
		return fmt.Sprintf("root\n%+v, want\n%+v", got, want)
	}
	return ""
}

// dumped gives the nodes of a layout without pointers.
func dumped(n *node) []any {
	all := []any{n.shape, n.flow, string(rune(n.quote)), n.start, n.body, n.end, n.anchor, n.tagged}
	for _, e := range n.entries {
		all = append(all, e.name, e.start, e.keyEnd, e.odd, e.merge, dumped(e.value))
	}
	return all
}

// FuzzLayout holds the fast way to lay a text out to the slow one.
func FuzzLayout(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb:\n  c: x # note\n  d:\n  - 1\n  - e: f\n    g: |\n      text\n\n  # end\nh: {i: [j, k], l: }\n",
		"---\r\na:\r\n- - 1\r\n  - 2\r\n- b: 'q''q'\r\n  c: \"d\\\"\"\r\n",
		"a:\n    b: >-\n        folded\n        text\n    c: plain\n      goes on\n    d:\n# odd\n    e: 1\nf:",
		"a: # one\n\n  # two\n  b: # three\n    - x # four\n    # five\n    -\n      y: z\n",
		"\u00e9: \u00fc # \u00f6\n\"q\": {\n  a: 1, # c\n  b: [],\n}\n",
		"spec:\n  a: {}\n  b: []\n  c:\n  d: ~\n  e: null\n  010: 0x10\n  yes: 1e3\n",
		"a: |+\n  x\n\n\nb: |2\n   y\n...\n",
		"a: \"two\n  lines\"\nb: [a,b, {c: d}, ]\n- \n",
		"- a\n-\n- - b\n  -\n- c: {}\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) <= 4096 && utf8.Valid(text) {
			compareLayouts(t, text)
		}
	})
}

// TestLayoutCorpus compares the two ways on real files, where they are: nearly
// all must go the fast one.
func TestLayoutCorpus(t *testing.T) {
	root := os.Getenv("KUBEVET_SHARED")
	if root == "" {
		root = "../../../shared"
	}
	plain, fast := 0, 0
	err := filepath.WalkDir(filepath.Join(root, "data", "corpus"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "ml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, text := range bytes.SplitAfter(data, []byte("\n---\n")) {
			if text = bytes.TrimSuffix(text, []byte("---\n")); len(text) > 100_000 || bytes.ContainsAny(text, "&*!?") || bytes.Contains(text, []byte("{{")) {
				continue
			}
			plain++
			if compareLayouts(t, text) {
				fast++
			}
		}
		return nil
	})
	if err != nil {
		t.Skip(err)
	}
	if t.Logf("%d of %d texts", fast, plain); fast*10 < plain*8 {
		t.Errorf("only %d of %d texts went the fast way", fast, plain)
	}
}
