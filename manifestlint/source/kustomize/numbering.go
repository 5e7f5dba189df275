package kustomize

import (
	"bytes"
	"regexp"
	"sort"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// numbering assigns a unique number to each line that a build reads. It adds
// blank lines before each document, so that kustomize's parser counts the same
// numbers. kustomize keeps a node's line number through merges and copies, so
// the number identifies the document and the file from which the node comes.
type numbering struct {
	next       int
	blankBytes int // total bytes of added blank lines
	documents  []numberedDocument
	files      map[string][]byte
	trees      *treeCache
}

// numberedDocument is a document of a file, or a patch in a kustomization.
type numberedDocument struct {
	first, lines int // number of its first line, and number of lines
	path         string
	line         int // the document's first line in the file
	indent       int // extra indentation of its lines in the file, in columns
	// exact is set if each line of the text is one line of the file.
	exact  bool
	source *sourceText
}

// maxBlankBytes is the largest size in bytes of the blank lines of one build.
// kustomize takes time to skip them. Files that are read after this limit get
// no numbers, so their findings have less precise positions.
const maxBlankBytes = 24 << 20

// newNumbering returns a numbering that starts at 2000. Lower numbers are lines
// of documents that kustomize creates, which have fewer than 2000 lines.
func newNumbering(trees *treeCache) *numbering {
	return &numbering{next: 2000, files: map[string][]byte{}, trees: trees}
}

// separator is the regular expression at which kyaml splits a text into
// documents (kio/byteio_reader.go, splitDocuments, 0.21).
var separator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n---.*\n`) })

// file returns the text of a file with blank lines added, for kustomize.
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
		// Keep the first --- before the blank lines. After the blank lines, the
		// marker would separate an empty document.
		end := bytes.IndexByte(text, '\n') + 1
		out.Write(text[:end])
		text, before, line = text[end:], 1, line+1
	}
	if first, ok := n.assign(path, text, line); ok {
		out.Write(bytes.Repeat([]byte{'\n'}, first-1-before))
	}
	out.Write(text)
}

// assign assigns numbers to the lines of a document, and returns the first one.
// ok is false if there are too many blank lines.
func (n *numbering) assign(path string, text []byte, line int) (first int, ok bool) {
	if n.blankBytes+n.next > maxBlankBytes {
		return 0, false
	}
	n.blankBytes += n.next
	first, lines := n.next, bytes.Count(text, []byte{'\n'})+1
	n.documents = append(n.documents, numberedDocument{first: first, lines: lines, path: path, line: line, exact: true, source: &sourceText{text: text, trees: n.trees}})
	n.next += lines + 1
	return first, true
}

// find returns the document that contains a numbered line, and the line in the
// document, from 1. It returns nil if no document contains the line.
func (n *numbering) find(line int) (s *numberedDocument, within int) {
	i := sort.Search(len(n.documents), func(i int) bool { return n.documents[i].first > line }) - 1
	if i < 0 || line >= n.documents[i].first+n.documents[i].lines {
		return nil, 0
	}
	return &n.documents[i], line - n.documents[i].first + 1
}

// inline returns the text of a patch in a kustomization, with blank lines
// added. at is the scalar with the patch, and indent the indentation of its
// lines.
func (n *numbering) inline(path, text string, at *yaml.Node, indent int) string {
	before := len(n.documents)
	out := n.number(path, []byte(text))
	for i := range n.documents[before:] {
		s := &n.documents[before+i]
		s.line += at.Line // a block scalar begins on the line after its header
		s.indent, s.exact = indent, true
		if at.Style&yaml.LiteralStyle == 0 {
			s.line, s.exact = at.Line, false
		}
	}
	if len(out) > 0 && out[0] == '\n' {
		// kustomize would remove white space at the beginning of the patch, but
		// keeps a comment there.
		return "#" + string(out)
	}
	return string(out)
}
