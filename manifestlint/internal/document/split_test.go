package document

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"comments", "# a\n\n", nil},
		{"one", "a: b\n", []string{"a: b\n"}},
		{"no final line break", "a: b\n---\nc: d", []string{"a: b\n", "---\nc: d"}},
		{"leading comment", "# a\n---\nb: c\n", []string{"# a\n---\nb: c\n"}},
		{"empty documents", "---\n---\n# c\n---\n", []string{"---\n", "---\n# c\n", "---\n"}},
		{"end marker", "a: b\n...\n# between\n---\nc: d\n", []string{"a: b\n...\n", "# between\n---\nc: d\n"}},
		{"end of all", "a: b\n...\n", []string{"a: b\n...\n"}},
		{"marker with text", "--- a\n--- # c\nb: c\n---\tx\n", []string{"--- a\n", "--- # c\nb: c\n", "---\tx\n"}},
		{"no markers", "a: ---\nb: |\n  ---\n  ...\n----\n...x\n-----BEGIN\n", []string{"a: ---\nb: |\n  ---\n  ...\n----\n...x\n-----BEGIN\n"}},
		{"crlf", "a: b\r\n---\r\nc: d\r\n", []string{"a: b\r\n", "---\r\nc: d\r\n"}},
		{"directive", "%YAML 1.1\n---\na: b\n", []string{"%YAML 1.1\n---\na: b\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			s := NewSplitter([]byte(c.text))
			for d, ok := s.Next(); ok; d, ok = s.Next() {
				got = append(got, string(d.Data))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzSplit compares the splitter with the YAML library. If a stream parses,
// both must find the same documents on the same lines.
func FuzzSplit(f *testing.F) {
	f.Add([]byte("# a\n---\nb: c\n...\n# d\n---\n- e\n"))
	f.Add([]byte("a: b\n---\n---\n# c\n--- d\n"))
	f.Add([]byte("%YAML 1.1\n---\na\n...\nb\n"))
	f.Add([]byte("a: |\n  ---\n---\r\nb: ---\n"))
	f.Add([]byte("%YAML 1.1\n---#0\na: b\n---# c\nd: e\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if !utf8.Valid(text) || bytes.ContainsFunc(text, isForbidden) || hasByteOrderMark(text) || bytes.ContainsAny(text, "\r\u0085\u2028\u2029\ufeff") {
			t.Skip()
		}
		text = normalizeStarts(text) // only kubectl reads "---#" as a marker
		total, last := 0, 0
		var starts []int
		s := NewSplitter(text)
		for d, ok := s.Next(); ok; d, ok = s.Next() {
			at := bytes.Index(text[last:], d.Data)
			if at < 0 || hasContent(text[last:last+at]) {
				t.Fatalf("document %d is not where it should be", d.Index)
			}
			if want := bytes.Count(text[:last+at], []byte{'\n'}) + 1; d.Line != want {
				t.Fatalf("document %d on line %d, want %d", d.Index, d.Line, want)
			}
			last += at + len(d.Data)
			starts = append(starts, d.Line)
			total++
		}
		if hasContent(text[last:]) {
			t.Fatalf("content after the last document: %q", text[last:])
		}
		dec := yaml.NewDecoder(bytes.NewReader(text))
		for n := 0; ; n++ {
			var node yaml.Node
			err := dec.Decode(&node)
			if errors.Is(err, io.EOF) {
				if n != total {
					t.Fatalf("%d documents, the parser finds %d\n%q", total, n, text)
				}
				return
			}
			if err != nil {
				return // the parser stops at an error, and the splitter does not
			}
			if n >= total {
				t.Fatalf("%d documents, the parser finds more\n%q", total, text)
			}
			if n+1 < total && node.Line >= starts[n+1] && node.Line > 0 {
				t.Fatalf("document %d begins on line %d, behind the next on %d\n%q", n, node.Line, starts[n+1], text)
			}
		}
	})
}

func isForbidden(r rune) bool { return r < 0x20 && !strings.ContainsRune("\t\n\r", r) || r == 0x7f }

// TestSplitIsLinear counts the searches for markers in a text with many end
// markers. The number must not grow with the square of the text's length.
func TestSplitIsLinear(t *testing.T) {
	text := []byte(strings.Repeat("...\n", 200_000) + "a: b\n")
	s := NewSplitter(text)
	d, ok := s.Next()
	if !ok || d.Line != 1 || len(d.Data) != len(text) {
		t.Errorf("document of %d bytes on line %d, want one of %d on line 1", len(d.Data), d.Line, len(text))
	}
}

// TestLastValueEnd compares a scan of a text in two parts with a scan of the
// whole text.
func TestLastValueEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const letters = `{}[]""\\ ,:aaaa` + "\n        "
	for range 2000 {
		text := make([]byte, random.IntN(200))
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		var whole, pieces jsonScan
		pieces.lastValueEnd(text[:random.IntN(len(text)+1)])
		if got, want := pieces.lastValueEnd(text), whole.lastValueEnd(text); got != want {
			t.Fatalf("values up to %d, want %d in %q", got, want, text)
		}
	}
	for text, want := range map[string]int{`{}[1] {"}": "\"}"} [`: 18, `{"a": [1]`: -1, ``: -1} {
		var s jsonScan
		if got := s.lastValueEnd([]byte(text)); got != want {
			t.Errorf("%q: values up to %d, want %d", text, got, want)
		}
	}
}
