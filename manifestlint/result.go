package manifestlint

import (
	"slices"

	"github.com/kubevet/kubevet/rules"
)

// result has the findings and counters of a part of an input. Lines and
// documents count from the start of the part: see shift.
type result struct {
	findings       []rules.Finding
	sum            rules.Summary
	lines          int
	docs           int
	fileDirectives []directive // kubevet:ignore-file comments
	events         []event
	// ignored is set if the input is neither a manifest nor a script.
	ignored bool
	// positions has the indices of the current document's findings, for restate;
	// nil before its first call. hasMoved is set if removeMoved must be called.
	positions map[findingPosition]int
	hasMoved  bool
}

// findingPosition identifies a finding within a document.
type findingPosition struct {
	rule         string
	line, column int
}

// restate moves a finding to the end, and adds the server's answer and the
// object to it. At the old index, it leaves a copy without a rule, which
// removeMoved removes later. Removing each finding at once would take quadratic
// time.
func (r *result) restate(at findingPosition, document int, server *rules.ServerText, object *rules.ObjectRef) bool {
	if r.positions == nil {
		r.positions = map[findingPosition]int{}
		for i := len(r.findings) - 1; i >= 0 && r.findings[i].Document == document; i-- {
			f := &r.findings[i]
			r.positions[findingPosition{f.Rule, f.Line, f.Column}] = i
		}
	}
	i, ok := r.positions[at]
	if !ok {
		return false
	}
	f := r.findings[i]
	f.Server, f.Object = server, object
	r.findings[i].Rule = ""
	r.positions[at] = len(r.findings)
	r.findings = append(r.findings, f)
	r.hasMoved = true
	return true
}

// removeMoved removes the findings without a rule, which restate left. It must
// be called at the end of each document.
func (r *result) removeMoved() {
	if r.hasMoved {
		r.findings = slices.DeleteFunc(r.findings, func(f rules.Finding) bool { return f.Rule == "" })
	}
	r.positions, r.hasMoved = nil, false
}

// addTo adds the counters to a summary, except those of findings: see emit.
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
	for i := range r.fileDirectives {
		r.fileDirectives[i].span.Pos.Line += lines
		r.fileDirectives[i].span.End.Line += lines
	}
}

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

// emit adds the counters to a summary. It calls the waiting functions of
// events, and the argument emit for each finding.
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
