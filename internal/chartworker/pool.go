// Package chartworker renders Helm charts in separate processes that run the same
// program.
//
// The templates of a chart can end the process that executes them: a stack overflow and a
// lack of memory are fatal in Go, and a function of a template library cannot be
// interrupted. Therefore a Pool starts the program again as a worker and sends charts to
// it. The pool stops a worker when a chart takes too long. A worker stops itself when a
// chart takes too much memory. Then the chart gets a finding, and a new worker renders
// the next chart.
//
// A worker reads no files. It receives charts on its standard input and answers on its
// standard output. It ends when its standard input ends.
package chartworker

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
)

// workPerWorker is the rendering time for each worker before another worker is started.
// Starting a process takes about as long.
const workPerWorker = 60 * time.Millisecond

// Pool is a set of workers. It starts processes when there are charts to render. It
// implements helmchart.Workers and is safe for concurrent use.
type Pool struct {
	ctx   context.Context
	limit time.Duration
	flag  string

	mu sync.Mutex
	// changed is closed, and replaced, when a worker is returned.
	changed chan struct{}
	idle    []*process
	all     map[*process]bool
	// spent is the total rendering time of all workers.
	spent  time.Duration
	closed bool
}

// NewPool returns a pool without processes. limit is the time limit for rendering one
// chart; 0 means no limit. flag is the name of the flag for this limit, for messages. The
// work ends when ctx is done. The caller closes the pool.
func NewPool(ctx context.Context, limit time.Duration, flag string) *Pool {
	return &Pool{ctx: ctx, limit: limit, flag: flag, changed: make(chan struct{}), all: map[*process]bool{}}
}

// Limit returns the time limit for rendering one chart. 0 means no limit.
func (p *Pool) Limit() time.Duration { return p.limit }

// Borrow returns a worker that the caller may use until Return. home is the preferred
// worker, or nil. If home is running, Borrow waits for it. Otherwise, it returns an idle
// worker, or starts a process. It waits if there is a process for each CPU, or if there
// was too little work for another process.
func (p *Pool) Borrow(home helmchart.Worker) (helmchart.Worker, error) {
	for {
		w, wait, err := p.take(home)
		if w != nil || err != nil {
			return w, err
		}
		select {
		case <-wait:
		case <-p.ctx.Done():
			return nil, context.Cause(p.ctx)
		}
	}
}

// take returns a worker, or a channel that is closed when take should be called again.
func (p *Pool) take(home helmchart.Worker) (helmchart.Worker, <-chan struct{}, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil {
		return nil, nil, context.Cause(p.ctx)
	}
	if p.closed {
		return nil, nil, errClosed
	}
	want, _ := home.(*process)
	if !p.all[want] {
		want = nil // the worker has ended
	}
	for i := len(p.idle) - 1; i >= 0; i-- {
		if w := p.idle[i]; want == nil || w == want {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			return w, nil, nil
		}
	}
	n := len(p.all)
	if want != nil || n > 0 && (n >= runtime.GOMAXPROCS(0) || p.spent < time.Duration(n)*workPerWorker) {
		return nil, p.changed, nil
	}
	w, err := start(p)
	if err != nil {
		return nil, nil, err
	}
	p.all[w] = true
	return w, nil, nil
}

// Return makes a borrowed worker available again.
func (p *Pool) Return(w helmchart.Worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := w.(*process)
	p.spent += one.worked
	one.worked = 0
	if one.ended.Load() || p.closed {
		delete(p.all, one)
	} else {
		p.idle = append(p.idle, one)
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// Close ends all workers. The pool must not be used afterwards.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for w := range p.all {
		w.kill()
	}
	p.all, p.idle = nil, nil
}
