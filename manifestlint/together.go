package manifestlint

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kubevet/kubevet/rules"
)

// TogetherOptions configure RunTogether.
type TogetherOptions struct {
	// Kinds are the kinds of objects that others are judged by, whatever their
	// group.
	Kinds []string
	// Fill is given those objects before a check runs that depends on them.
	Fill func([]Given)
	// Left, if not nil, is told how many of them were left out because those
	// before them were too large together.
	Left func(n int)
	// Memory keeps inputs that are read twice.
	Memory *Memory
}

// RunTogether judges inputs as Run does, by what they say together: the objects
// of some kinds that Gather finds in them. It ranges over the inputs twice.
//
// Where nothing but definitions of custom resources counts of the others, the
// inputs are read once: what is found is kept until all are read, and those
// inputs are judged again that hold objects of which a definition was found that
// matters. Where much is found, or other objects count, inputs are read twice. If
// the context ends it while all are read, what is certain by then is told.
func (l *Linter) RunTogether(ctx context.Context, inputs iter.Seq[Input], o TogetherOptions, emit func(rules.Finding) error) (*rules.Summary, error) {
	from := GatherOptions{
		Kinds: o.Kinds, Left: o.Left,
		MaxDocument: l.opts.MaxDocument, Workers: l.opts.Workers, NewReader: l.opts.NewReader, Old: l.opts.Old,
	}
	if l.once {
		return l.runOnce(ctx, inputs, &from, o.Fill, emit)
	}
	remembering := *l
	if from.NewReader != nil && o.Memory != nil {
		from.NewReader = o.Memory.Keep(l.opts.NewReader)
		remembering.opts.NewReader = o.Memory.Give(l.opts.NewReader)
	}
	from.Next = l
	given, err := Gather(ctx, inputs, from)
	if err != nil {
		return rules.NewSummary(), err
	}
	o.Fill(given)
	return remembering.Run(ctx, inputs, emit)
}

// runOnce is RunTogether where inputs are judged before all is gathered.
func (l *Linter) runOnce(ctx context.Context, inputs iter.Seq[Input], from *GatherOptions, fill func([]Given), emit func(rules.Finding) error) (*rules.Summary, error) {
	start := time.Now()
	sum := rules.NewSummary()
	var g gathering
	s := &survey{gather: g.linter(from), limits: l.limits}
	first := l.newRun(ctx)
	first.survey = s
	if err := first.do(func() { first.produce(inputs) }, s.take); err != nil {
		for _, part := range s.parts {
			if part.in != nil {
				continue // it may not be final
			}
			if failed := part.tell(sum, emit); failed != nil {
				return sum, failed
			}
		}
		return sum, err
	}
	fill(g.given(from))
	second := l.newRun(ctx)
	err := second.do(func() { second.resume(s) }, func(part *result) error { return part.tell(sum, emit) })
	sum.Target = l.opts.Target.String()
	sum.Elapsed(start)
	return sum, err
}

// survey is what is found in inputs before it is known what else they are to be
// judged by.
type survey struct {
	gather *Linter
	limits surveyLimits
	parts  []*result    // in the order of the inputs
	held   atomic.Int64 // what they weigh
}

// Of an input no more than surveyedBlocks are judged at first, and of all no more is
// kept than surveyedFindings, of half a KiB each, or what weighs as much. Inputs of
// which that leaves something out are judged later.
const (
	surveyedBlocks   = 64
	surveyedFindings = 40_000
)

// surveyLimits are those two.
type surveyLimits struct{ blocks, findings int }

// full reports whether what comes is left for later.
func (s *survey) full() bool { return s.held.Load() > int64(s.limits.findings) }

// take keeps a part of what was found, and tells what was gathered.
func (s *survey) take(part *result) error {
	err := part.tellEvents()
	part.events = nil
	s.held.Add(part.weight())
	s.parts = append(s.parts, part)
	return err
}

// weight is how much a part takes, in half KiB.
func (r *result) weight() int64 {
	n := 1 + len(r.findings)
	for i := range r.findings {
		if fix := r.findings[i].Fix; fix != nil {
			for e := range fix.Edits {
				n += len(fix.Edits[e].New) / 512
			}
		}
	}
	return int64(n)
}

// question is what is not known of an object where a check judges it by others:
// whether the check looks at an object of that kind.
type question struct {
	check            int // of the linter's
	apiVersion, kind string
}

// surveyed is what a result has where its input may be judged again.
type surveyed struct {
	in        *Input // that it is of; nil: it is final
	questions []question
	partly    bool // it is one of several of its input
	later     bool // it was left out
}

// open reports whether the input of a result may be judged again.
func (s *surveyed) open() bool { return len(s.questions) > 0 || s.partly || s.later }

// ask notes that a check may look at objects of a kind.
func (s *surveyed) ask(check int, o *Object) {
	for i := range s.questions {
		if q := &s.questions[i]; q.check == check && q.kind == o.Kind && q.apiVersion == o.APIVersion {
			return
		}
	}
	// The text may be gone before the answer comes.
	s.questions = append(s.questions, question{check, strings.Clone(o.APIVersion), strings.Clone(o.Kind)})
}

// of gives a result of its own for a part of what was found in an input.
func (r *result) of(in *Input) *result {
	own := &result{findings: r.findings, surveyed: r.surveyed}
	own.add(r)
	own.in = in
	return own
}

// newJudge makes the judge of a worker.
func (r *run) newJudge() *judge {
	j := newJudge(r.l)
	if r.survey != nil {
		j.gatherer, j.surveys = newJudge(r.survey.gather), true
	}
	return j
}

// gather takes out of a document, before it is judged, what others are judged
// by.
func (j *judge) gather(in *Input, d document, regular bool, r *result) {
	g := j.gatherer
	if g == nil {
		return
	}
	head := &j.skim.head
	if regular && (head.empty || !head.items && !g.l.gather.kind(string(head.kind.text))) || !g.l.gather.spelled(d.data) {
		return
	}
	g.gathers(d)
	if regular {
		said := j.skim.said(0, true)
		g.skim.know(&said)
		g.skim.lists, g.skim.listed = j.skim.lists, j.skim.listed
	}
	g.document(in, d, regular, false, &g.gathered)
	r.events = append(r.events, g.gathered.events...)
}

// gathers makes ready to gather from a document.
func (j *judge) gathers(d document) {
	j.gathered.clear()
	j.gathered.docs = d.index
	j.trees.room.clear()
}

// gatherValues is gather for a document that is a stream of JSON.
func (j *judge) gatherValues(in *Input, d document, text []byte, values []jsonValue, r *result) {
	g := j.gatherer
	if g == nil || !g.l.gather.spelled(text) {
		return
	}
	g.gathers(d)
	for i := range values {
		v := values[i]
		if !v.said.regular { // its tree will be gone
			v.tree.root = jsonTree(&g.trees.room, text[v.start:v.end], v.at, false)
		}
		d.index = g.gathered.docs
		g.gathered.count(1)
		g.jsonValue(in, d, text, &v, &g.gathered)
	}
	r.events = append(r.events, g.gathered.events...)
}

// resume hands out what a survey has found, and to the workers those inputs that
// are judged again.
func (r *run) resume(s *survey) {
	defer close(r.order)
	defer close(r.jobs)
	var ready []*result
	var batch []Input
	pass := func() bool {
		if len(ready) == 0 {
			return true
		}
		j := &job{ready: ready}
		ready = nil
		select {
		case r.order <- j:
			return true
		case <-r.ctx.Done():
			return false
		}
	}
	hand := func() bool {
		again := batch
		batch = nil
		return len(again) == 0 || r.hand(again)
	}
	answers := map[question]bool{}
	for parts := s.parts; len(parts) > 0; {
		n := 1
		for n < len(parts) && parts[0].in != nil && parts[n].in == parts[0].in {
			n++
		}
		of := parts[:n]
		parts = parts[n:]
		if !r.again(of, answers) {
			if ready = append(ready, of...); !hand() {
				return
			}
			continue
		}
		if !pass() {
			return
		}
		if batch = append(batch, *of[0].in); len(batch) == batchSize && !hand() {
			return
		}
	}
	if hand() {
		pass()
	}
}

// again reports whether an input is to be judged again, of which these are the
// parts.
func (r *run) again(parts []*result, answers map[question]bool) bool {
	for _, part := range parts {
		if part.later {
			return true
		}
		for _, q := range part.questions {
			yes, known := answers[q]
			if !known {
				yes = r.l.looksAt(&r.l.opts.Checks[q.check], &Object{APIVersion: q.apiVersion, Kind: q.kind})
				answers[q] = yes
			}
			if yes {
				return true
			}
		}
	}
	return false
}
