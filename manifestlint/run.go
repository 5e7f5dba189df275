package manifestlint

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/kubevet/kubevet/rules"
)

// ErrLarge is what a Reader gives for an input that is over its limit.
var ErrLarge = errors.New("input is too large to read as a whole")

// batchSize is how many inputs a worker takes at a time.
const batchSize = 64

// Run judges inputs with all workers and gives their findings to emit, in the
// order of the inputs and within an input in the order of its objects. Emit is
// called from one goroutine; if it fails, the run ends with its error. The
// summary counts what was done up to then.
//
// Memory does not grow with the number or size of inputs: small ones are read
// as a whole, large ones in blocks.
func (l *Linter) Run(ctx context.Context, inputs iter.Seq[Input], emit func(rules.Finding) error) (*rules.Summary, error) {
	start := time.Now()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := l.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r := &run{
		l:     l,
		ctx:   ctx,
		jobs:  make(chan *job),
		order: make(chan *job, 4*workers),
		help:  make(chan *task),
		idle:  make(chan struct{}),
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		r.produce(inputs)
		r.pending.Wait()
		close(r.idle)
	}()
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r.work()
		}()
	}
	sum := rules.NewSummary()
	err := r.collect(sum, emit)
	cancel()
	for range r.order { // let the producer end
	}
	wg.Wait()
	sum.Target = l.opts.Target.String()
	sum.Elapsed(start)
	return sum, err
}

// run is the state of one Run.
type run struct {
	l       *Linter
	ctx     context.Context
	jobs    chan *job  // to the workers
	order   chan *job  // the same jobs, to the collector
	help    chan *task // blocks of large inputs, to workers with nothing to do
	pending sync.WaitGroup
	idle    chan struct{} // closed once no job is left
}

// job is a batch of inputs. The worker that takes it sends what it finds part
// by part and then closes parts.
type job struct {
	inputs []Input
	parts  chan *result
}

// task is a block of a large input that another worker may judge.
type task struct {
	in    *Input
	block block
	from  *blockReader
	head  bool // it is the first of its input
	res   *result
	done  chan struct{}
}

func (r *run) produce(inputs iter.Seq[Input]) {
	defer close(r.order)
	defer close(r.jobs)
	batch := make([]Input, 0, batchSize)
	send := func() bool {
		j := &job{inputs: batch, parts: make(chan *result, 16)}
		batch = make([]Input, 0, batchSize)
		select {
		case r.order <- j:
		case <-r.ctx.Done():
			return false
		}
		r.pending.Add(1)
		select {
		case r.jobs <- j:
			return true
		case <-r.ctx.Done():
			r.pending.Done()
			close(j.parts)
			return false
		}
	}
	for in := range inputs {
		batch = append(batch, in)
		if len(batch) == batchSize && !send() {
			return
		}
	}
	if len(batch) > 0 {
		send()
	}
}

// collect gives findings on in order and adds up the summary.
func (r *run) collect(sum *rules.Summary, emit func(rules.Finding) error) error {
	for j := range r.order {
		for part := range j.parts {
			part.addTo(sum)
			for i := range part.events {
				if err := part.events[i].tell(part.events[i].Event); err != nil {
					return err
				}
			}
			for _, f := range part.findings {
				if err := emit(f); err != nil {
					return err
				}
				sum.Findings[f.Rule]++
			}
		}
		if r.ctx.Err() != nil {
			break
		}
	}
	return context.Cause(r.ctx)
}

func (r *run) work() {
	w := &worker{run: r, judge: newJudge(r.l)}
	if r.l.opts.NewReader != nil {
		w.reader = r.l.opts.NewReader()
		defer w.reader.Close()
	}
	for {
		select {
		case j, ok := <-r.jobs:
			if !ok {
				w.helpOut()
				return
			}
			w.batch(j)
			r.pending.Done()
		case t := <-r.help:
			w.task(t)
		}
	}
}
