package manifestlint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// tree is a document that was parsed in full.
type tree struct {
	root       *wire.Value
	duplicates []wire.Duplicate
	json       []byte // the text, if it is JSON
}

// syntaxError says why a document does not parse, and where.
type syntaxError struct {
	span      Span
	text      string
	templated bool // a template engine must render the document first
}

// parseYAML parses one document. A text that holds several in spite of the
// splitter, which only lone carriage returns can bring about, gives several.
func parseYAML(doc []byte, firstLine int) (trees []tree, failed *syntaxError) {
	defer func() {
		// The parser is fuzzed, but not by us alone: a panic in it is one
		// broken document, not the end of the run.
		if r := recover(); r != nil {
			failed = &syntaxError{lineSpan(doc, 1, firstLine), fmt.Sprintf("the YAML parser gave up: %v", r), markup(doc)}
		}
	}()
	if off, what := badByte(doc); off >= 0 {
		return nil, &syntaxError{charSpan(doc, off, firstLine), what, false}
	}
	dec := yaml.NewDecoder(bytes.NewReader(doc))
	for {
		var node yaml.Node
		err := dec.Decode(&node)
		if errors.Is(err, io.EOF) {
			return trees, nil
		}
		if err != nil {
			return trees, yamlError(doc, firstLine, err)
		}
		root, dups, err := wire.YAML(&node, doc, firstLine)
		if err != nil {
			return trees, problem(doc, firstLine, err)
		}
		trees = append(trees, tree{root: root, duplicates: dups})
	}
}

// yamlError turns the parser's error into one with a place.
//
// The scanner counts lines from 1. The parser proper ("did not find expected
// …") counts from 0, and names the start of the collection that it was in
// rather than the token that it stumbled over; yaml.v2, which is the same
// parser otherwise, names the token.
func yamlError(doc []byte, firstLine int, err error) *syntaxError {
	text, line := splitYAMLError(err)
	if strings.HasPrefix(text, "did not find expected") {
		var ignored yamlv2.MapSlice
		if again, at := splitYAMLError(yamlv2.Unmarshal(doc, &ignored)); again == text {
			line = at
		}
		line++
	}
	if name, ok := between(text, "unknown anchor '", "' referenced"); ok {
		if at := bytes.Index(doc, []byte("*"+name)); at >= 0 {
			line = bytes.Count(doc[:at], []byte{'\n'}) + 1
		}
	}
	last := bytes.Count(bytes.TrimRight(doc, "\n"), []byte{'\n'}) + 1
	line = min(max(line, 1), last)
	return &syntaxError{lineSpan(doc, line, firstLine), text, templated(doc, line)}
}

func splitYAMLError(err error) (text string, line int) {
	if err == nil {
		return "", 0
	}
	text, ok := strings.CutPrefix(err.Error(), "yaml: ")
	if !ok {
		return text, 1
	}
	if number, rest, ok := strings.Cut(text, ": "); ok {
		if number, ok = strings.CutPrefix(number, "line "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				return firstOf(rest), n
			}
		}
	}
	return firstOf(text), 1
}

// firstOf gives the first line of a text.
func firstOf(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// between gives what stands between the start of a text and the last place of
// another part of it.
func between(text, before, after string) (string, bool) {
	rest, ok := strings.CutPrefix(text, before)
	end := strings.LastIndex(rest, after)
	if !ok || end < 0 {
		return "", false
	}
	return rest[:end], true
}

// problem places a document that parses as YAML but has no JSON form.
func problem(doc []byte, firstLine int, err error) *syntaxError {
	var p *wire.Problem
	if !errors.As(err, &p) {
		return &syntaxError{lineSpan(doc, 1, firstLine), err.Error(), false}
	}
	line := p.Pos.Line - firstLine + 1
	span := lineSpan(doc, line, firstLine)
	span.Pos = p.Pos
	if span.End.Line != p.Pos.Line || span.End.Column <= p.Pos.Column {
		span.End = wire.Pos{Line: p.Pos.Line, Column: p.Pos.Column + 1}
	}
	// An unquoted {{ … }} parses as a map whose key is a map.
	return &syntaxError{span, p.Text, markup(lineOf(doc, line))}
}

// badByte finds the first byte that no YAML or JSON text may hold, or gives -1.
// The parser refuses it too, but does not say where it is.
func badByte(doc []byte) (off int, what string) {
	for off < len(doc) {
		b := doc[off]
		if b < utf8.RuneSelf {
			if b < 0x20 && b != '\t' && b != '\n' && b != '\r' || b == 0x7f {
				return off, fmt.Sprintf("control character U+%04X is not allowed", b)
			}
			off++
			continue
		}
		r, size := utf8.DecodeRune(doc[off:])
		if r == utf8.RuneError && size <= 1 {
			return off, "invalid UTF-8"
		}
		off += size
	}
	return -1, ""
}

// charSpan gives the place of one character.
func charSpan(doc []byte, off, firstLine int) Span {
	line := bytes.Count(doc[:off], []byte{'\n'}) + firstLine
	column := utf8.RuneCount(doc[bytes.LastIndexByte(doc[:off], '\n')+1:off]) + 1
	return Span{wire.Pos{Line: line, Column: column}, wire.Pos{Line: line, Column: column + 1}}
}

// lineSpan gives the text of a line of doc, from 1, without the white space
// around it.
func lineSpan(doc []byte, line, firstLine int) Span {
	text := lineOf(doc, line)
	trimmed := bytes.TrimLeft(text, " \t")
	start := utf8.RuneCount(text[:len(text)-len(trimmed)]) + 1
	width := max(utf8.RuneCount(bytes.TrimRight(trimmed, " \t\r\n")), 1)
	at := line + firstLine - 1
	return Span{wire.Pos{Line: at, Column: start}, wire.Pos{Line: at, Column: start + width}}
}

func lineOf(doc []byte, line int) []byte {
	for ; line > 1 && len(doc) > 0; line-- {
		doc = doc[lineEnd(doc, 0):]
	}
	return doc[:lineEnd(doc, 0)]
}
