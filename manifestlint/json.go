package manifestlint

import (
	"bytes"
	"errors"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// jsonText gives the part of a document that may be JSON, and the line of the
// document on which it begins; nil if the document is none. A marker line may
// stand before it.
func jsonText(doc []byte) ([]byte, int) {
	rest, line := doc, 1
	if markerAt(rest, '-') {
		end := lineEnd(rest, 0)
		if !blankOrComment(bytes.TrimRight(rest[3:end], "\r\n")) {
			return nil, 0
		}
		rest, line = rest[end:], 2
	}
	for _, c := range rest {
		switch c {
		case ' ', '\t', '\r', '\n':
		case '{', '[':
			return rest, line
		default:
			return nil, 0
		}
	}
	return nil, 0
}

// jsonValues judges a document as a stream of JSON values, each a document of
// its own, as kubectl reads it. It reports false where the text is no JSON but
// may be YAML all the same: a flow map, or a template.
func (j *judge) jsonValues(in *Input, d document, text []byte, line int, r *result) bool {
	if !j.l.opts.ParseAll && !j.readsShell(text) {
		// Most JSON in a repository is no manifest.
		if n, ok := wire.StreamWithout(text, "apiVersion", "kind"); ok {
			for range n {
				j.skip(in, r, d.data, rules.NotJudged{Document: r.docs, Line: d.line, Reason: rules.SkipNotKubernetes})
				r.count(1)
			}
			return true
		}
	}
	var values []tree
	var failed *wire.SyntaxError
	for v, err := range wire.JSONStreamIn(&j.trees.room, text, d.line+line-1) {
		if err != nil {
			errors.As(err, &failed)
			break
		}
		values = append(values, tree{root: v.Value, duplicates: v.Duplicates, json: text[v.Start:v.End]})
	}
	if failed != nil {
		if markup(text) {
			return false
		}
		if trees, notYAML := parseYAML(d.data, d.line); notYAML == nil && len(trees) > 0 {
			return false
		}
	}
	for _, t := range values {
		d.index = r.docs
		r.count(1)
		j.source = editable{data: t.json, line: t.root.Pos.Line, column: t.root.Pos.Column, json: true, left: maxMending}
		j.tree(in, d, t, r)
		// Places are found from where the value's line begins.
		if own := (document{index: d.index, data: t.json, line: t.root.Pos.Line}); j.readsShell(own.data) && t.root.Pos.Column == 1 {
			j.embeddedScripts(in, own, t.root, r)
		}
	}
	if failed != nil {
		d.index = r.docs
		r.count(1)
		span := Span{failed.Pos, wire.Pos{Line: failed.Pos.Line, Column: failed.Pos.Column + 1}}
		j.skip(in, r, d.data, rules.NotJudged{Document: d.index, Line: failed.Pos.Line, Reason: rules.SkipBroken, Detail: failed.Msg})
		j.own(in, r, ruleSyntax, d.index, span, rules.Finding{Message: failed.Msg})
	}
	return true
}

// validStream reports whether a text is a stream of JSON values.
func validStream(text []byte) bool {
	for _, err := range wire.JSONStream(text, 1) {
		if err != nil {
			return false
		}
	}
	return true
}
