package kustomize

import (
	"bytes"
	"regexp"
	"sort"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// numbering gives every line of every file that a build reads a number of its
// own. kustomize hands the nodes of the files' YAML trees on, through merges
// and copies, with the lines that they were parsed at; with blank lines put
// before each document, such a line says which document of which file a node
// comes from.
type numbering struct {
	next  int
	added int // bytes of blank lines
	spans []numbered
	files map[string][]byte
	// asides, if not nil, are where schemas are put that kustomize need not
	// see, and placed those that were.
	asides *asides
	shared *shared
	placed []placed
}

// numbered is one document, or one patch that stands in a kustomization.
type numbered struct {
	first, lines int // the numbers that it has
	path         string
	line         int // what the first of them is in the file
	indent       int // columns that its lines are further right in the file
	// exact is set where a line of the text is a line of the file.
	exact  bool
	parsed *parsed
}

// maxAdded bounds the blank lines, which cost time to skip: beyond it, files
// are read as they are and what is found in them is traced less well.
const maxAdded = 24 << 20

// newNumbering makes one whose numbers begin beyond those that the trees have
// which kustomize makes itself, of a few thousand lines at the most.
func newNumbering(s *shared) *numbering {
	return &numbering{next: 2000, files: map[string][]byte{}, shared: s}
}

// separator is what kyaml (kio/byteio_reader.go, splitDocuments, 0.21) splits
// documents at.
var separator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n---.*\n`) })

// file gives the text that kustomize is to read in place of a file's.
func (n *numbering) file(path string, text []byte) []byte {
	if done, ok := n.files[path]; ok {
		return done
	}
	out := n.number(path, text)
	n.files[path] = out
	return out
}

func (n *numbering) number(path string, text []byte) []byte {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) || bytes.IndexByte(text, 0) >= 0 {
		return text
	}
	var out bytes.Buffer
	line, from := 1, 0
	for _, at := range append(separator().FindAllIndex(bytes.ReplaceAll(text, []byte("\r\n"), []byte(" \n")), -1), []int{len(text), len(text)}) {
		n.document(&out, path, text[from:at[0]], line)
		out.Write(text[at[0]:at[1]])
		line += bytes.Count(text[from:at[1]], []byte{'\n'})
		from = at[1]
	}
	return out.Bytes()
}

func (n *numbering) document(out *bytes.Buffer, path string, text []byte, line int) {
	if !bytes.Contains(text, []byte("kind")) {
		out.Write(text)
		return
	}
	before := 0
	if bytes.HasPrefix(text, []byte("---")) {
		// A marker with blank lines before it would be one more separator.
		end := bytes.IndexByte(text, '\n') + 1
		out.Write(text[:end])
		text, before, line = text[end:], 1, line+1
	}
	if first, ok := n.take(path, text, line); ok {
		out.Write(bytes.Repeat([]byte{'\n'}, first-1-before))
		text = n.cut(text, first)
	}
	out.Write(text)
}

// take gives numbers to some lines of a file.
func (n *numbering) take(path string, text []byte, line int) (first int, ok bool) {
	if n.added+n.next > maxAdded {
		return 0, false
	}
	n.added += n.next
	first, lines := n.next, bytes.Count(text, []byte{'\n'})+1
	n.spans = append(n.spans, numbered{first: first, lines: lines, path: path, line: line, exact: true, parsed: n.shared.parsed(text)})
	n.next += lines + 1
	return first, true
}

// of gives the document that a node's line is in, and the line there.
func (n *numbering) of(line int) (s *numbered, within int) {
	i := sort.Search(len(n.spans), func(i int) bool { return n.spans[i].first > line }) - 1
	if i < 0 || line >= n.spans[i].first+n.spans[i].lines {
		return nil, 0
	}
	return &n.spans[i], line - n.spans[i].first + 1
}

// inline gives numbers to the lines of a patch that stands in a file as a
// scalar.
func (n *numbering) inline(path, text string, at *yaml.Node, indent int) string {
	before := len(n.spans)
	out := n.number(path, []byte(text))
	for i := range n.spans[before:] {
		s := &n.spans[before+i]
		s.line += at.Line // the text begins on the line after the header
		s.indent, s.exact = indent, true
		if at.Style&yaml.LiteralStyle == 0 {
			s.line, s.exact = at.Line, false
		}
	}
	if len(out) > 0 && out[0] == '\n' {
		// kustomize trims white space around such a patch, and no comment.
		return "#" + string(out)
	}
	return string(out)
}
