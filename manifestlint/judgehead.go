package manifestlint

import (
	"bytes"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// headObject gives the object that a document's head says that it is; nil for
// none.
func (j *judge) headObject(firstLine int) *Object {
	if j.l.opts.Each != nil {
		return headObject(&j.skim.head, firstLine) // it may be kept
	}
	if !j.head.fromHead(&j.skim.head, firstLine) {
		return nil
	}
	return &j.head
}

// headDecides reports whether the head of a document that was skimmed is all
// that the checks need.
func (j *judge) headDecides(o *Object) bool {
	s := &j.skim
	if s.head.items || j.l.opts.Embedded && s.head.root {
		return false
	}
	if o != nil && j.l.gather != nil {
		return j.l.opts.Old == nil || !j.l.gather.kind(o.Kind)
	}
	if o == nil || s.wanted == 0 && !j.l.byHead {
		return true
	}
	if r := j.l.releases; r != 0 && s.wanted&r == r && mayHoldRelease(o.APIVersion, o.Kind) {
		return false
	}
	for _, w := range j.l.waiting {
		if s.wanted&w.bits == w.bits && j.l.looksAt(w.check, o) {
			return false
		}
	}
	return true
}

// byHead judges a document by what the skimmer kept of it.
func (j *judge) byHead(in *Input, d document, o *Object, r *result) {
	switch {
	case j.skim.head.empty:
		j.skip(in, r, d.data, rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipEmpty})
	case o == nil || isKustomization(o):
		j.skip(in, r, d.data, rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipNotKubernetes})
	case in.elsewhere():
		j.skip(in, r, d.data, in.notHere(d))
	default:
		if j.l.gather != nil {
			o.packed, o.packedAt = d.data, wire.Pos{Line: d.line}
		}
		j.object(in, d.index, o, r)
	}
}

// worthMaking reports whether a check looks at the bodies of all objects of a
// kind.
func (j *judge) worthMaking(h *skimHead) bool {
	o := &j.guess
	*o = Object{APIVersion: j.trees.string(h.apiVersion.text), Kind: j.trees.string(h.kind.text)}
	o.API, o.Known = lifecycle.LookupGV(o.APIVersion, o.Kind)
	for _, w := range j.l.waiting {
		if w.bits == 0 && j.l.looksAt(w.check, o) {
			return true
		}
	}
	return j.l.parseBody
}

// readsByItem reports whether a list of objects that was skimmed can be judged item
// by item.
func (j *judge) readsByItem(in *Input, items []listedItem) bool {
	return !in.elsewhere() && j.l.opts.Old == nil && !j.l.opts.Embedded &&
		(len(items) == 0 || !bytes.HasPrefix(items[0].said.head.apiVersion.text, []byte(kustomizeGroup)))
}

// list judges the items of a list of objects in a text, of most of which the head
// is all that is looked at.
func (j *judge) list(in *Input, d document, text []byte, items []listedItem, r *result) {
	firstLine := d.line
	if j.source.json {
		firstLine = 1
	}
	j.source.list = text
	var parsed []*Object
	for i := range items {
		item := &items[i]
		j.skim.know(&item.said)
		j.met = j.skim.wanted
		j.source.item = item
		o := j.headObject(firstLine)
		switch gathers := j.l.gather; {
		case gathers != nil && !gathers.kind(o.Kind):
			continue
		case gathers != nil:
			o.packed, o.packedAt = j.source.itemText()
		case !j.headDecides(o):
			if o = objectOf(j.sourceTree(), "", ""); o == nil {
				continue // what was skimmed parses
			}
			parsed = append(parsed, o)
		}
		o.Listed = true
		j.object(in, d.index, o, r)
	}
	j.releases(in, d, parsed, r)
}

// itemText gives the text of the item at hand, and where it begins, as an object
// has it of which it is packed.
func (t *editable) itemText() ([]byte, wire.Pos) {
	if t.json {
		return t.list[t.item.start:t.item.end], t.item.at
	}
	return itemDocument(t.list, t.item), wire.Pos{Line: t.line + t.item.at.Line - 1}
}

// sourceTree makes the tree of an object of which only the head was looked at; nil
// if there is no text of it.
func (j *judge) sourceTree() *wire.Value {
	t := &j.source
	switch {
	case t.item != nil:
		text, at := t.itemText()
		if t.json {
			return jsonTree(&j.trees.room, text, at, j.steady())
		}
		if root := j.skim.rebuildBy(&j.trees, text, at.Line, true); root != nil {
			return root
		}
		if trees, failed := parseYAML(text, at.Line); failed == nil && len(trees) == 1 {
			return trees[0].root
		}
		return nil
	case t.data == nil:
		return nil
	case t.json:
		return jsonTree(&j.trees.room, t.data, wire.Pos{Line: t.line, Column: t.column}, j.steady())
	}
	trees, failed := j.parse(t.doc, t.regular)
	if failed != nil || len(trees) != 1 {
		return nil
	}
	return trees[0].root
}
