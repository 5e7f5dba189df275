package app

import (
	"cmp"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Ending has the clean-up functions for a process that ends while a verb still runs. A
// verb may hang, or not notice that its context ended. The methods accept a nil Ending,
// which records nothing. They are safe for concurrent use.
type Ending struct {
	mu     sync.Mutex
	undo   []func()
	status int // 0 means StatusIncomplete
	grace  time.Duration
}

// Add adds a function that removes temporary files. The function is called while the verb
// still runs, so the files may be missing already.
func (e *Ending) Add(undo func()) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.undo = append(e.undo, undo)
}

// SetStatus sets the exit status of a process that ends while the verb still runs.
func (e *Ending) SetStatus(status int) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status = status
}

// SetGrace sets how long the verb may take to end after an interrupt. The default is the
// constant grace.
func (e *Ending) SetGrace(d time.Duration) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.grace = d
}

// grace is the default time that a verb has to end after an interrupt. With undoTime, the
// process ends within a second.
const grace = 700 * time.Millisecond

// Grace returns how long the verb may take to end after an interrupt.
func (e *Ending) Grace() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return cmp.Or(e.grace, grace)
}

// undoTime is the maximal time that Abandon waits for the clean-up. A terminal or a file
// system may block.
const undoTime = 200 * time.Millisecond

// Abandon removes the temporary files of a verb that still runs, reports that it was
// interrupted, and returns the exit status. The process must then end.
func (a *App) Abandon() int {
	a.Ending.mu.Lock()
	undo, status := slices.Clone(a.Ending.undo), a.Ending.status
	a.Ending.mu.Unlock()
	if status == 0 {
		status = StatusIncomplete
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, f := range undo {
			f()
		}
		if a.ShowsStatus() {
			(&StatusLine{w: a.Stderr, drawn: true}).erase()
		}
		a.Complain("%v", ErrInterrupted)
	}()
	select {
	case <-done:
	case <-time.After(undoTime):
	}
	return status
}

// errCrashed is the error that replaces a panic of a verb.
var errCrashed = errors.New("kubevet failed here, by a mistake of its own: please report it with the lines above")

// Recover, if deferred, replaces a panic by the error errCrashed. First it prints the
// panic and the stack.
func (a *App) Recover(err *error) {
	if reason := recover(); reason != nil {
		a.Complain("panic: %v", reason)
		a.Stderr.Write(debug.Stack())
		*err = errCrashed
	}
}
