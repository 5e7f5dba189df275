package manifestlint

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

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
			s := newSplitter([]byte(c.text))
			for d, ok := s.next(); ok; d, ok = s.next() {
				got = append(got, string(d.data))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzSplit holds the splitter to the parser: of a stream that parses, both
// find the same documents on the same lines.
func FuzzSplit(f *testing.F) {
	f.Add([]byte("# a\n---\nb: c\n...\n# d\n---\n- e\n"))
	f.Add([]byte("a: b\n---\n---\n# c\n--- d\n"))
	f.Add([]byte("%YAML 1.1\n---\na\n...\nb\n"))
	f.Add([]byte("a: |\n  ---\n---\r\nb: ---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if off, _ := badByte(text); off >= 0 || hasBOM(text) || bytes.ContainsAny(text, "\r\u0085\u2028\u2029\ufeff") {
			t.Skip()
		}
		total, last := 0, 0
		var starts []int
		s := newSplitter(text)
		for d, ok := s.next(); ok; d, ok = s.next() {
			at := bytes.Index(text[last:], d.data)
			if at < 0 || hasContent(text[last:last+at]) {
				t.Fatalf("document %d is not where it should be", d.index)
			}
			if want := bytes.Count(text[:last+at], []byte{'\n'}) + 1; d.line != want {
				t.Fatalf("document %d on line %d, want %d", d.index, d.line, want)
			}
			last += at + len(d.data)
			starts = append(starts, d.line)
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
				return // the parser stops where we go on
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

// TestLastValueEnd holds where the values of a stream end, given in pieces, to a
// scan byte by byte.
func TestLastValueEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const letters = `{}[]""\\ ,:aaaa` + "\n        "
	for range 2000 {
		text := make([]byte, random.IntN(200))
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		depth, last, values, inString, escaped := 0, -1, 0, false, false
		for i, c := range text {
			switch {
			case escaped:
				escaped = false
			case inString:
				escaped, inString = c == '\\', c != '"'
			case c == '"':
				inString = true
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth--; depth == 0 {
					last = i + 1
					values++
				}
			}
		}
		var scan jsonScan
		got := scan.lastValueEnd(text[:random.IntN(len(text)+1)])
		if got = scan.lastValueEnd(text); got != last || scan.values != values {
			t.Fatalf("%d values up to %d, want %d up to %d in %q", scan.values, got, values, last, text)
		}
	}
}
