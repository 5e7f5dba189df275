// Package yamltree parses YAML documents into trees with positions.
package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Tree is one parsed document.
type Tree struct {
	Root *wire.Value
	// Duplicates are the repeated keys. The tree has only the last value of a
	// repeated key.
	Duplicates []wire.Duplicate
}

// SyntaxError is the reason and the position of a document that does not parse.
type SyntaxError struct {
	// Pos and End are the range of the wrong text.
	Pos, End wire.Pos
	// Text is the parser's message.
	Text string
	// Template is set if a template engine must render the document first. The
	// document is then not broken.
	Template bool
}

// Parse parses one document. firstLine is the line of the input on which it
// begins. A document without content has no tree. Usually there is one tree;
// the YAML library finds more if a lone carriage return is before a marker. If
// the document does not parse, Parse returns the error and the trees before it.
func Parse(doc []byte, firstLine int) ([]Tree, *SyntaxError) {
	return new(Reader).Parse(doc, firstLine)
}

// Parse is like the function Parse, and reuses the Reader's memory.
func (p *Reader) Parse(doc []byte, firstLine int) ([]Tree, *SyntaxError) {
	root, ok := p.Read(doc, firstLine)
	switch {
	case !ok:
		return parse(doc, firstLine)
	case root == nil:
		return nil, nil
	}
	return []Tree{{Root: root}}, nil
}

// parse parses a document with the YAML library.
func parse(doc []byte, firstLine int) (trees []Tree, failed *SyntaxError) {
	// The library is fuzzed, but if it panics, other documents must still be
	// checked.
	defer func() {
		if r := recover(); r != nil {
			failed = errorOnLine(doc, 1, firstLine, fmt.Sprintf("the YAML parser gave up: %v", r), document.HasMarkup(doc))
		}
	}()
	if failed = Characters(doc, firstLine); failed != nil {
		if !utf8.Valid(doc) {
			// kubectl reads each invalid byte as U+FFFD, so it finds the objects.
			trees, _ = parse([]byte(string([]rune(string(doc)))), firstLine)
		}
		return trees, failed
	}
	trees, failed = decode(doc, firstLine)
	if failed != nil && len(trees) == 0 {
		// kubectl splits the text at the marker, so a directive before the marker
		// is not in this document.
		if plain := withoutDirectives(doc); plain != nil {
			if trees, again := decode(plain, firstLine); again == nil {
				failed.Template = false
				return trees, failed
			}
		}
	}
	return trees, failed
}

// withoutDirectives returns a copy of a document in which the directives before
// the marker are comments; nil if there are no directives.
func withoutDirectives(doc []byte) []byte {
	var out []byte
	for at := 0; at < len(doc) && !document.BeginsDocument(doc[at:]); at = document.LineEnd(doc, at) {
		if doc[at] == '%' {
			if out == nil {
				out = bytes.Clone(doc)
			}
			out[at] = '#'
		}
	}
	return out
}

// decode parses a text with the YAML library. The text must not have characters
// that YAML forbids.
func decode(doc []byte, firstLine int) (trees []Tree, failed *SyntaxError) {
	dec := yaml.NewDecoder(bytes.NewReader(doc))
	for {
		var node yaml.Node
		err := dec.Decode(&node)
		if errors.Is(err, io.EOF) {
			return trees, nil
		}
		if err != nil {
			return trees, libraryError(doc, firstLine, err)
		}
		root, dups, err := wire.YAML(&node, doc, firstLine)
		if err != nil {
			return trees, conversionError(doc, firstLine, err)
		}
		trees = append(trees, Tree{root, dups})
	}
}

// libraryError adds a position to an error of the YAML library.
//
// The library's scanner counts lines from 1. Its parser ("did not find expected
// …") counts lines from 0, and names the first line of the collection around
// the error. The parser of yaml.v2 is nearly equal, but names the line of the
// unexpected token.
func libraryError(doc []byte, firstLine int, err error) *SyntaxError {
	text, line := splitError(err)
	if strings.HasPrefix(text, "did not find expected") {
		var ignored yamlv2.MapSlice
		if again, at := splitError(yamlv2.Unmarshal(doc, &ignored)); again == text {
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
	return errorOnLine(doc, line, firstLine, text, isTemplate(doc, line))
}

// isTemplate reports whether a document that does not parse is a template. line
// is the line, from 1, on which the parser failed. A document is a template if
// it parses after its actions are replaced, or if it fails at a text that
// depends on an action.
func isTemplate(doc []byte, line int) bool {
	if document.HasPlaceholder(doc, line) {
		return true
	}
	if !document.HasMarkup(doc) {
		return false
	}
	neutral := document.ReplaceActions(doc)
	if document.HasMarkup(neutral) {
		return true // the end of its markup is unknown
	}
	_, failed := Parse(neutral, 1)
	return failed == nil || failed.Template || document.MayDependOnTemplate(doc, failed.Pos.Line)
}

// splitError returns the first line of an error of the YAML library, and the
// line number in its text; 1 if there is none.
func splitError(err error) (text string, line int) {
	if err == nil {
		return "", 0
	}
	text, ok := strings.CutPrefix(err.Error(), "yaml: ")
	if !ok {
		return text, 1
	}
	line = 1
	if number, rest, ok := strings.Cut(text, ": "); ok {
		if number, ok = strings.CutPrefix(number, "line "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				text, line = rest, n
			}
		}
	}
	text, _, _ = strings.Cut(text, "\n")
	return text, line
}

// between returns the part of text after prefix and before the last occurrence
// of after.
func between(text, prefix, after string) (string, bool) {
	rest, ok := strings.CutPrefix(text, prefix)
	end := strings.LastIndex(rest, after)
	if !ok || end < 0 {
		return "", false
	}
	return rest[:end], true
}

// conversionError adds a position to the error for a YAML document that cannot
// be converted to JSON.
func conversionError(doc []byte, firstLine int, err error) *SyntaxError {
	var p *wire.Problem
	if !errors.As(err, &p) {
		return errorOnLine(doc, 1, firstLine, err.Error(), false)
	}
	line := p.Pos.Line - firstLine + 1
	// An unquoted {{ … }} parses as a map whose key is a map.
	e := errorOnLine(doc, line, firstLine, p.Text, document.HasMarkup(document.Line(doc, line)))
	e.Pos = p.Pos
	if e.End.Line != p.Pos.Line || e.End.Column <= p.Pos.Column {
		e.End = nextColumn(p.Pos)
	}
	return e
}

// errorOnLine returns an error with this text for a line of doc, from 1. The
// position leaves out the white space around the line's text. template is the
// value of SyntaxError.Template.
func errorOnLine(doc []byte, line, firstLine int, text string, template bool) *SyntaxError {
	whole := document.Line(doc, line)
	trimmed := bytes.TrimLeft(whole, " \t")
	start := utf8.RuneCount(whole[:len(whole)-len(trimmed)]) + 1
	width := max(utf8.RuneCount(bytes.TrimRight(trimmed, " \t\r\n")), 1)
	at := wire.Pos{Line: line + firstLine - 1, Column: start}
	return &SyntaxError{Pos: at, End: wire.Pos{Line: at.Line, Column: start + width}, Text: text, Template: template}
}

// Characters returns an error for the first character in doc that YAML and JSON
// forbid; nil for none. firstLine is the line of the input on which doc begins.
func Characters(doc []byte, firstLine int) *SyntaxError {
	off, problem := badByte(doc)
	if off < 0 {
		return nil
	}
	at := position(doc, off, firstLine)
	return &SyntaxError{Pos: at, End: nextColumn(at), Text: problem}
}

// badByte returns the offset of the first byte that YAML and JSON forbid; -1
// for none. The library also refuses it, but does not return its position.
func badByte(doc []byte) (off int, problem string) {
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

func position(doc []byte, off, firstLine int) wire.Pos {
	return wire.Pos{
		Line:   bytes.Count(doc[:off], []byte{'\n'}) + firstLine,
		Column: utf8.RuneCount(doc[bytes.LastIndexByte(doc[:off], '\n')+1:off]) + 1,
	}
}

// nextColumn returns the position of the next character on the line.
func nextColumn(at wire.Pos) wire.Pos { return wire.Pos{Line: at.Line, Column: at.Column + 1} }
