package manifestlint

import (
	"slices"

	"github.com/kubevet/kubevet/rules"
)

// result has what was found in a part of an input. Lines and documents count
// from the start of the part. shift adds the lines and documents before the
// part.
type result struct {
	findings []rules.Finding
	sum      rules.Summary
	lines    int
	docs     int
	file     []directive // kubevet:ignore-file comments
	events   []event
	// notRead is set if the input is neither a manifest nor a script.
	notRead bool
	// places has the indices of the current document's findings, for restate.
	// It is nil before the first call. moved is set if settle must remove
	// findings.
	places map[findingPlace]int
	moved  bool
}

// findingPlace identifies a finding within a document.
type findingPlace struct {
	rule         string
	line, column int
}

// restate moves a finding to the end, and adds the server's answer and the
// object to it. It leaves a finding without a rule in the old place, which
// settle removes. If restate removed the old finding itself, the time would
// grow with the square of the number of findings.
func (r *result) restate(at findingPlace, document int, server *rules.ServerText, object *rules.ObjectRef) bool {
	if r.places == nil {
		r.places = map[findingPlace]int{}
		for i := len(r.findings) - 1; i >= 0 && r.findings[i].Document == document; i-- {
			f := &r.findings[i]
			r.places[findingPlace{f.Rule, f.Line, f.Column}] = i
		}
	}
	i, ok := r.places[at]
	if !ok {
		return false
	}
	f := r.findings[i]
	f.Server, f.Object = server, object
	r.findings[i].Rule = ""
	r.places[at] = len(r.findings)
	r.findings = append(r.findings, f)
	r.moved = true
	return true
}

// settle removes the findings that restate left without a rule. It must be
// called at the end of each document.
func (r *result) settle() {
	if r.moved {
		r.findings = slices.DeleteFunc(r.findings, func(f rules.Finding) bool { return f.Rule == "" })
	}
	r.places, r.moved = nil, false
}

// addTo adds the counters to a summary. The counters of findings are added by
// emit.
func (r *result) addTo(sum *rules.Summary) { sum.Add(&r.sum) }

// add adds the counters and events of another result.
func (r *result) add(o *result) {
	if r.sum.Skipped == nil {
		r.sum.Skipped = map[string]int{}
	}
	r.sum.Add(&o.sum)
	r.events = append(r.events, o.events...)
}

// shift adds numbers of lines and documents to all positions.
func (r *result) shift(lines, docs int) {
	if lines == 0 && docs == 0 {
		return
	}
	for i := range r.findings {
		f := &r.findings[i]
		f.Line += lines
		f.EndLine += lines
		f.Document += docs
		f.Fix = shiftFix(f.Fix, lines)
	}
	for i := range r.sum.NotJudged {
		r.sum.NotJudged[i].Line += lines
		r.sum.NotJudged[i].Document += docs
	}
	for at := range r.sum.Unchecked.Places() {
		if at.Line > 0 {
			at.Line += lines
		}
		at.Document += docs
	}
	for i := range r.events {
		r.events[i].Lines += lines
		r.events[i].Document += docs
	}
	for i := range r.file {
		r.file[i].span.Pos.Line += lines
		r.file[i].span.End.Line += lines
	}
}

// count counts documents.
func (r *result) count(docs int) {
	r.docs += docs
	r.sum.Documents += docs
}

// skip counts a part of a document that is not checked. It adds no event,
// because the document itself is checked.
func (r *result) skip(n rules.NotJudged) {
	if r.sum.Skipped == nil {
		r.sum.Skipped = map[string]int{}
	}
	r.sum.Skip(n)
}

// emit adds the counters to a summary. It also calls the waiting functions of
// events, and emit for each finding.
func (r *result) emit(sum *rules.Summary, emit func(rules.Finding) error) error {
	r.addTo(sum)
	for i := range r.events {
		if err := r.events[i].emit(r.events[i].Event); err != nil {
			return err
		}
	}
	for i := range r.findings {
		if err := emit(r.findings[i]); err != nil {
			return err
		}
		sum.Findings[r.findings[i].Rule]++
	}
	return nil
}
