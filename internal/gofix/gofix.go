// Package gofix completes Go files after edits. It removes imports that are no longer
// used. A file that was formatted with gofmt before the edits is formatted again. The
// lines of a file that end with CRLF still do.
package gofix

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
)

// Finish completes the text of a file after edits. old is the text before the edits. It
// returns an error if the text does not parse.
func Finish(name string, old, text []byte) ([]byte, error) {
	if isCRLF(old) {
		// gofmt writes LF.
		text, err := Finish(name, toLF(old), toLF(text))
		return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), err
	}
	text, err := dropImports(name, old, text)
	if err != nil {
		return nil, err
	}
	if formatted, err := format.Source(old); err != nil || !bytes.Equal(formatted, old) {
		return text, nil // the author of the file does not use gofmt
	}
	return format.Source(text)
}

// isCRLF reports whether all lines of a text end with CRLF.
func isCRLF(text []byte) bool {
	lines := bytes.Count(text, []byte("\n"))
	return lines > 0 && lines == bytes.Count(text, []byte("\r\n"))
}

func toLF(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// dropImports removes the imports that old uses and text does not use.
func dropImports(name string, old, text []byte) ([]byte, error) {
	fset := token.NewFileSet()
	was, err := parser.ParseFile(fset, name, old, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	is, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	before, after := qualifiers(was), qualifiers(is)
	file := fset.File(is.FileStart)
	for _, spec := range slices.Backward(is.Imports) {
		had, has := false, false
		for _, name := range localNames(spec) {
			had, has = had || before[name], has || after[name]
		}
		if !had || has {
			continue
		}
		from, to := span(file, text, is, spec)
		text = slices.Concat(text[:from], text[to:])
	}
	return text, nil
}
