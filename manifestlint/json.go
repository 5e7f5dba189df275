package manifestlint

import (
	"bytes"
	"errors"
	"slices"

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

// jsonValue is a value of a stream.
type jsonValue struct {
	start, end int
	at         wire.Pos
	said       skimmed // what the skimmer said of it
	lists      bool    // and whether it is a list of objects
	listed     []listedItem
	tree       tree // of what it left to the parser
}

// jsonValues judges a document as a stream of JSON values, each a document of
// its own, as kubectl reads it. It reports false where the text is no JSON but
// may be YAML all the same: a flow map, or a template.
func (j *judge) jsonValues(in *Input, d document, text []byte, line int, r *result) bool {
	scripted := j.readsShell(text)
	skims := !scripted && !j.l.parseBody && !j.l.opts.ParseAll && !j.l.opts.Embedded
	if j.l.eager {
		j.skim.decide = j.worth
		defer func() { j.skim.decide = nil }()
	}
	lasting := j.steady() && j.l.gather == nil // what is gathered stays longer
	stream := wire.NewStream(&j.trees.room, text, wire.Pos{Line: d.line + line - 1, Column: 1}, lasting)
	values := j.values[:0]
	var failed *wire.SyntaxError
	for stream.More() {
		var v jsonValue
		v.start, v.at = stream.At()
		if v.said.regular = skims; skims {
			v.end, v.said.regular = j.skim.json(text, v.start, v.at)
		}
		if v.said.regular {
			v.said = j.skim.said(v.start, true)
			v.lists, v.listed = j.skim.lists, slices.Clone(j.skim.listed)
			stream.Pass(v.end)
		} else {
			parsed, err := stream.Next()
			if errors.As(err, &failed) {
				break
			}
			v.end, v.tree = parsed.End, tree{root: parsed.Value, duplicates: parsed.Duplicates}
		}
		values = append(values, v)
	}
	j.values = values
	defer clear(values)
	if failed != nil {
		if markup(text) {
			return false
		}
		if trees, notYAML := parseYAML(d.data, d.line); notYAML == nil && len(trees) > 0 {
			return false
		}
	}
	j.gatherValues(in, d, text, values, r)
	for i := range values {
		v := &values[i]
		d.index = r.docs
		r.count(1)
		j.jsonValue(in, d, text, v, r)
		// Places are found from where the value's line begins.
		if own := (document{index: d.index, data: text[v.start:v.end], line: v.at.Line}); scripted && v.at.Column == 1 && j.readsShell(own.data) {
			j.embeddedScripts(in, own, v.tree.root, r)
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

// jsonValue judges a value of a stream of JSON.
func (j *judge) jsonValue(in *Input, d document, text []byte, v *jsonValue, r *result) {
	body := text[v.start:v.end]
	j.source = editable{data: body, line: v.at.Line, column: v.at.Column, json: true, left: maxFixing}
	j.met = all
	if v.said.regular {
		if v.lists && j.readsByItem(in, v.listed) {
			j.list(in, d, text, v.listed, r)
			return
		}
		j.skim.know(&v.said)
		j.met = j.skim.wanted
		o := j.headObject(1)
		switch gathers := j.l.gather; {
		case v.lists:
		case gathers != nil && (o == nil || !gathers.kind(o.Kind) || in.elsewhere()):
			return
		case gathers != nil && j.l.opts.Old == nil:
			o.packed, o.packedAt = body, v.at
			j.object(in, d.index, o, r)
			return
		case gathers == nil && j.headDecides(o):
			j.byHead(in, d, o, r)
			return
		}
		v.tree.root = jsonTree(&j.trees.room, body, v.at, j.steady() && j.l.gather == nil)
		j.met = all
	}
	v.tree.json = body
	j.tree(in, d, v.tree, r)
}

// jsonTree makes the tree of a text that is a JSON value and was read before, but
// for the values of fields of some names. It begins at a place of the input.
func jsonTree(room wire.Room, text []byte, at wire.Pos, lasting bool, leave ...string) *wire.Value {
	stream := wire.NewStream(room, text, at, lasting)
	stream.Leave(leave...)
	value, err := stream.Next()
	if err != nil {
		return nil
	}
	return value.Value
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
