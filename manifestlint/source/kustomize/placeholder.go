package kustomize

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Custom resource definitions are most of what kustomizations build, and their
// schemas most of these. kustomize copies a schema once for each level of it
// and writes it five times over, and it comes out as it went in. So schemas are
// put aside: kustomize is given a word in place of each, and what is built gets
// the schema back. That is done only where nothing in a plan can look into a
// schema (see plan.mayLookInto), and what does not come back as expected, or
// does not build, is built again with everything in it.

// schemaKey is the key of what is put aside.
const schemaKey = "openAPIV3Schema"

// asides are the schemas that were put aside in the builds of a run, by their
// text: each is read and written once. It is safe for concurrent use.
type asides struct {
	// word begins the words in place of schemas. Nobody can guess it.
	word string

	mu   sync.Mutex
	all  map[string]*schema
	size int
}

func newAsides() *asides {
	var random [12]byte
	_, _ = rand.Read(random[:]) // which never fails
	return &asides{word: "kubevet" + hex.EncodeToString(random[:]) + "n", all: map[string]*schema{}}
}

// Bounds of what is put aside: shorter schemas are no gain, and longer ones
// than all together are left in place.
const (
	minSchema  = 256
	maxSchemas = 32 << 20
)

// schema is one that can be put aside: a map of texts, numbers, lists and maps.
type schema struct {
	source string
	once   sync.Once
	// plain is set if it may be put aside. The nodes of its tree are marks, by
	// their place in the source, in the order of walk.
	plain bool
	marks []mark

	mu      sync.Mutex
	written map[int]string // by its indent
}

// placed is a schema in place of which a build has a word; line is the number
// of its first line.
type placed struct {
	*schema
	line int
}

// of gives the schema with a source, which stands where it is written with an
// indent; nil if it must stay in place.
func (a *asides) of(source []byte, indent int) *schema {
	a.mu.Lock()
	s := a.all[string(source)]
	if s == nil {
		if a.size+len(source) > maxSchemas {
			a.mu.Unlock()
			return nil
		}
		a.size += len(source)
		s = &schema{source: string(source), written: map[int]string{}}
		a.all[s.source] = s
	}
	a.mu.Unlock()
	s.once.Do(func() { s.read(indent) })
	if !s.plain {
		return nil
	}
	return s
}

// read reads and writes a schema.
func (s *schema) read(indent int) {
	root := s.tree()
	if root == nil {
		return
	}
	walk(root, func(n *yaml.Node) { s.marks = append(s.marks, mark{int32(n.Line), int32(n.Column)}) })
	text, err := writeSchema(root, indent)
	if err != nil {
		s.marks = nil
		return
	}
	s.written[indent], s.plain = text, true
}

// tree reads the tree of a schema; nil if it must stay in place.
func (s *schema) tree() *yaml.Node {
	decoder := yaml.NewDecoder(strings.NewReader(s.source))
	var doc, more yaml.Node
	if decoder.Decode(&doc) != nil || !errors.Is(decoder.Decode(&more), io.EOF) || len(doc.Content) != 1 {
		return nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode || len(root.Content) == 0 || !passes(&doc, 0) {
		return nil
	}
	return root
}

// passes reports whether a tree comes out of kustomize as it went in, even where
// a patch sets something beside it: nothing is null, which patches take out, and
// no comment says anything of it.
func passes(n *yaml.Node, depth int) bool {
	if n.HeadComment+n.LineComment+n.FootComment != "" || n.Anchor != "" || n.Kind == yaml.AliasNode || depth > maxAround {
		return false
	}
	if n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!null" || n.ShortTag() == "!!merge") {
		return false
	}
	for _, child := range n.Content {
		if !passes(child, depth+1) {
			return false
		}
	}
	return true
}

// writeSchema writes a schema as a whole object is written that has it at an
// indent.
func writeSchema(root *yaml.Node, indent int) (string, error) {
	var e emitter
	for range indent / 2 {
		e.around = append(e.around, true)
	}
	e.indent(indent)
	if err := e.mapping(root, indent); err != nil {
		return "", err
	}
	return string(e.out), nil
}

// text is the schema as it is written at an indent.
func (s *schema) text(indent int) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text, ok := s.written[indent]; ok {
		return text, nil
	}
	root := s.tree()
	if root == nil || indent%2 != 0 {
		return "", errUnusual
	}
	text, err := writeSchema(root, indent)
	if err == nil {
		s.written[indent] = text
	}
	return text, err
}

// cut puts the schemas of a document aside, whose first line has a number. The
// lines that are left keep theirs.
func (n *numbering) cut(text []byte, first int) []byte {
	if n.asides == nil || !bytes.Contains(text, []byte(schemaKey+":")) || bytes.IndexByte(text, '\r') >= 0 || !definition(text) {
		return text
	}
	var out []byte
	kept := 0 // of text, that is in out
	above := ""
	for at, line := 0, first; at < len(text); line++ {
		end := lineEnd(text, at)
		key, column := blockKey(text[at:end])
		if key != schemaKey || column == 0 {
			if key != "" {
				above = key
			}
			at = end
			continue
		}
		stop, lines := below(text, end, column)
		indent := 6
		if above == "schema" {
			indent = 8
		}
		var s *schema
		if stop-end >= minSchema {
			s = n.asides.of(text[end:stop], indent)
		}
		if s == nil {
			at = end
			continue
		}
		out = append(out, text[kept:end]...)
		out = append(bytes.TrimRight(out, " \n"), ' ')
		out = append(out, n.asides.word...)
		out = strconv.AppendInt(out, int64(len(n.placed)), 10)
		n.placed = append(n.placed, placed{schema: s, line: line + 1})
		out = append(out, bytes.Repeat([]byte{'\n'}, lines+1)...)
		at, kept = stop, stop
		line += lines
	}
	if out == nil {
		return text
	}
	return append(out, text[kept:]...)
}

// definition reports whether a document is plainly a custom resource definition.
func definition(text []byte) bool {
	for at := 0; at < len(text); at = lineEnd(text, at) {
		if text[at] == 'k' && string(bytes.TrimRight(text[at:lineEnd(text, at)], " \n")) == "kind: CustomResourceDefinition" {
			return true
		}
	}
	return false
}

func lineEnd(text []byte, at int) int {
	if end := bytes.IndexByte(text[at:], '\n'); end >= 0 {
		return at + end + 1
	}
	return len(text)
}

// blockKey gives the key on a line that has nothing else, and its column.
func blockKey(line []byte) (key string, column int) {
	for column < len(line) && (line[column] == ' ' || line[column] == '-' && column+1 < len(line) && line[column+1] == ' ') {
		column++
	}
	name, ok := bytes.CutSuffix(bytes.TrimRight(line[column:], " \n"), []byte{':'})
	if !ok || len(name) > len(schemaKey) {
		return "", 0
	}
	return string(name), column
}

// below gives the end of the lines that are further right than a column, and
// how many these are, without what is blank or a comment at their end.
func below(text []byte, at, column int) (end, lines int) {
	end = at
	for n := 1; at < len(text); n++ {
		next := lineEnd(text, at)
		rest := bytes.TrimLeft(text[at:next], " ")
		if blank := len(rest) == 0 || rest[0] == '\n' || rest[0] == '#'; !blank {
			if next-at-len(rest) <= column {
				break
			}
			end, lines = next, n
		}
		at = next
	}
	return end, lines
}

// schemaOf gives the schema that a word stands for.
func (n *numbering) schemaOf(word string) (placed, bool) {
	if n.asides == nil {
		return placed{}, false
	}
	number, ok := strings.CutPrefix(word, n.asides.word)
	if !ok {
		return placed{}, false
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(n.placed) {
		return placed{}, false
	}
	return n.placed[i], true
}

// wordIn reports whether a text has a word that stands for a schema.
func (n *numbering) wordIn(text []byte) bool {
	return len(n.placed) > 0 && bytes.Contains(text, []byte(n.asides.word))
}
