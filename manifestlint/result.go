package manifestlint

import "github.com/kubevet/kubevet/rules"

// result is what is found in a part of an input. Lines and documents count
// from the start of the part until shift makes them the input's.
type result struct {
	findings []rules.Finding
	sum      rules.Summary
	lines    int
	docs     int
	file     []directive // those for the whole file
	unread   bool        // the input turned out to be nothing that is read
	events   []event     // to be told in order
	surveyed
}

// clear makes a result that has nothing in it. What is found and told is not
// its own any more; the memory of its counters is.
func (r *result) clear() {
	skipped, notJudged := r.sum.Skipped, r.sum.NotJudged
	clear(skipped)
	*r = result{}
	r.sum.Skipped, r.sum.NotJudged = skipped, notJudged[:0]
}

// addTo adds a result's counters to a summary. Findings are counted where they
// are reported.
func (r *result) addTo(sum *rules.Summary) { sum.Add(&r.sum) }

// add adds another result's counters.
func (r *result) add(o *result) {
	if r.sum.Skipped == nil {
		r.sum.Skipped = map[string]int{}
	}
	r.sum.Add(&o.sum)
	r.events = append(r.events, o.events...)
}

// shift moves a result behind the parts before it.
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
	for i := range r.events {
		r.events[i].Lines += lines
		r.events[i].Document += docs
	}
	for i := range r.file {
		r.file[i].span.Pos.Line += lines
		r.file[i].span.End.Line += lines
	}
}

func (r *result) count(docs int) {
	r.docs += docs
	r.sum.Documents += docs
}

// skip notes what is not judged. It raises no event: the document that it
// stands in is there.
func (r *result) skip(n rules.NotJudged) {
	if r.sum.Skipped == nil {
		r.sum.Skipped = map[string]int{}
	}
	r.sum.Skip(n)
}
