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
	r := l.newRun(ctx)
	sum := rules.NewSummary()
	err := r.do(func() { r.produce(inputs) }, func(part *result) error { return part.tell(sum, emit) })
	sum.Target = l.opts.Target.String()
	sum.Elapsed(start)
	return sum, err
}

func (l *Linter) newRun(ctx context.Context) *run {
	workers := l.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r := &run{
		l:       l,
		workers: workers,
		jobs:    make(chan *job),
		order:   make(chan *job, 4*workers),
		help:    make(chan *task),
		idle:    make(chan struct{}),
	}
	r.ctx, r.cancel = context.WithCancel(ctx)
	return r
}

// do judges what produce hands out and gives take what is found, in order. An
// error of take's ends it.
func (r *run) do(produce func(), take func(*result) error) error {
	defer r.cancel()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		produce()
		r.pending.Wait()
		close(r.idle)
	}()
	for range r.workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r.work()
		}()
	}
	err := r.collect(take)
	r.cancel()
	for range r.order { // let the producer end
	}
	wg.Wait()
	return err
}

// run is the state of one Run.
type run struct {
	l       *Linter
	ctx     context.Context
	cancel  func()
	workers int
	survey  *survey    // nil: what is found is final
	jobs    chan *job  // to the workers
	order   chan *job  // the same jobs, to the collector
	help    chan *task // blocks of large inputs, to workers with nothing to do
	pending sync.WaitGroup
	idle    chan struct{} // closed once no job is left
}

// job is a batch of inputs. The worker that takes it sends what it finds, some
// parts at a time, and then closes parts.
type job struct {
	inputs []Input
	ready  []*result // in the place of inputs: what was found in some
	parts  chan []*result
}

// task is a block of a large input that another worker may judge.
type task struct {
	in    *Input
	block block
	from  *blockReader
	head  bool // it is the first of its input
	later bool // it is not judged now
	res   *result
	done  chan struct{}
}

// hand gives a batch of inputs to the workers. It reports whether the run goes
// on.
func (r *run) hand(batch []Input) bool {
	j := &job{inputs: batch, parts: make(chan []*result, 4)}
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

func (r *run) produce(inputs iter.Seq[Input]) {
	defer close(r.order)
	defer close(r.jobs)
	batch := make([]Input, 0, batchSize)
	for in := range inputs {
		batch = append(batch, in)
		if len(batch) == batchSize {
			if !r.hand(batch) {
				return
			}
			batch = make([]Input, 0, batchSize)
		}
	}
	if len(batch) > 0 {
		r.hand(batch)
	}
}

// collect gives on in order what is found.
func (r *run) collect(take func(*result) error) error {
	for j := range r.order {
		if err := takeAll(j.ready, take); err != nil {
			return err
		}
		if j.parts == nil {
			continue
		}
		for parts := range j.parts {
			if err := takeAll(parts, take); err != nil {
				return err
			}
		}
		if r.ctx.Err() != nil {
			break
		}
	}
	return context.Cause(r.ctx)
}

func takeAll(parts []*result, take func(*result) error) error {
	for _, part := range parts {
		if err := take(part); err != nil {
			return err
		}
	}
	return nil
}

// tell adds a part up and gives its findings on.
func (r *result) tell(sum *rules.Summary, emit func(rules.Finding) error) error {
	r.addTo(sum)
	if err := r.tellEvents(); err != nil {
		return err
	}
	for i := range r.findings {
		if err := emit(r.findings[i]); err != nil {
			return err
		}
		sum.Findings[r.findings[i].Rule]++
	}
	return nil
}

func (r *result) tellEvents() error {
	for i := range r.events {
		if err := r.events[i].tell(r.events[i].Event); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) work() {
	w := &worker{run: r, judge: r.newJudge(), out: make([]*result, 0, batchSize)}
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
