// Package gofix completes Go files after edits: a file that was formatted by
// gofmt is formatted again, and imports that became unused are removed.
package gofix

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
)

// Finish completes a file after edits: old is the file before the edits, text the
// file after them. It returns an error if the result is not Go.
func Finish(name string, old, text []byte) ([]byte, error) {
	text, err := dropImports(name, old, text)
	if err != nil {
		return nil, err
	}
	if formatted, err := format.Source(old); err != nil || !bytes.Equal(formatted, old) {
		return text, nil // gofmt did not format it before
	}
	return format.Source(text)
}

// dropImports removes the imports that old uses and text does not.
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
