package manifestlint

import (
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
