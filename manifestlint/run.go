package manifestlint

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/rules"
)

// Run checks inputs with all workers and calls emit for each finding. Findings
// are in the order of the inputs, and within an input in the order of its
// objects. emit is called from one goroutine. An error of emit ends the run,
// and the summary then covers the inputs before it.
//
// Memory does not grow with the number or size of inputs. Small inputs are read
// as a whole, and large inputs in blocks.
func (l *Linter) Run(ctx context.Context, inputs iter.Seq[Input], emit func(rules.Finding) error) (*rules.Summary, error) {
	start := time.Now()
	workers := l.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &run{
		l: l, ctx: ctx,
		jobs:     make(chan *job),
		order:    make(chan *job, 4*workers),
		blocks:   make(chan *task),
		finished: make(chan struct{}),
	}
	var all sync.WaitGroup
	all.Go(func() { r.produce(inputs) })
	for range workers {
		all.Go(r.work)
	}
	sum := rules.NewSummary()
	err := r.collect(func(part *result) error { return part.emit(sum, emit) })
	cancel()
	for range r.order { // drain the channel, so that the producer can end
	}
	all.Wait()
	sum.Target = l.opts.Target.String()
	sum.Elapsed(start)
	return sum, err
}

type run struct {
	l        *Linter
	ctx      context.Context
	jobs     chan *job  // jobs for the workers
	order    chan *job  // the jobs in the order of the inputs, for collect
	blocks   chan *task // blocks of large inputs, for idle workers
	pending  sync.WaitGroup
	finished chan struct{} // closed when no job is left
}

// batchSize is the number of inputs in a job.
const batchSize = 64

// job is a batch of inputs. A worker sends their results to parts, which it
// then closes.
type job struct {
	inputs []Input
	parts  chan []*result
}

// task is a block of a large input, for an idle worker.
type task struct {
	in    *Input
	block document.Block
	first bool // the first block of the input
	res   *result
	done  chan struct{}
}

// produce passes the inputs to the workers in batches.
func (r *run) produce(inputs iter.Seq[Input]) {
	defer close(r.finished)
	defer r.pending.Wait()
	defer close(r.order)
	defer close(r.jobs)
	batch := make([]Input, 0, batchSize)
	for in := range inputs {
		batch = append(batch, in)
		if len(batch) == batchSize {
			if !r.enqueue(batch) {
				return
			}
			batch = make([]Input, 0, batchSize)
		}
	}
	if len(batch) > 0 {
		r.enqueue(batch)
	}
}

// enqueue passes a batch to the workers. It returns false if the run must end.
func (r *run) enqueue(batch []Input) bool {
	// A part can have the findings of a whole block, so the channel's buffer is
	// small.
	j := &job{inputs: batch, parts: make(chan []*result, 1)}
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

// collect passes the results to use, in the order of the inputs.
func (r *run) collect(use func(*result) error) error {
	for j := range r.order {
		for parts := range j.parts {
			for _, part := range parts {
				if err := use(part); err != nil {
					return err
				}
			}
		}
		if r.ctx.Err() != nil {
			break
		}
	}
	return context.Cause(r.ctx)
}

func (r *run) work() {
	w := &worker{run: r, checker: newChecker(r.l)}
	if r.l.opts.NewReader != nil {
		w.reader = r.l.opts.NewReader()
		defer w.reader.Close()
	}
	for {
		select {
		case j, ok := <-r.jobs:
			if !ok {
				w.helpOthers()
				return
			}
			w.checkBatch(j)
			r.pending.Done()
		case t := <-r.blocks:
			w.checkBlock(t)
		}
	}
}
