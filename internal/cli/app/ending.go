package app

import (
	"cmp"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Ending has the functions that clean up if the process ends while a verb still runs. A
// verb may hang, or not notice that its context ended. The methods are safe for
// concurrent use. The methods of a nil Ending record nothing.
type Ending struct {
	mu     sync.Mutex
	undo   []func()
	status int // 0 means StatusIncomplete
	grace  time.Duration
}

// Add adds a function that removes temporary files. The verb may still be running when
// the function is called, so the files may be missing.
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

// SetGrace sets the time that the verb has to end after an interrupt. The default is the
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

// Grace returns the time that the verb has to end after an interrupt.
func (e *Ending) Grace() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return cmp.Or(e.grace, grace)
}

// undoTime is the maximal time that Abandon waits for the clean-up, because a terminal or
// a file system may block.
const undoTime = 200 * time.Millisecond

// Abandon removes the temporary files of a verb that still runs, reports the interrupt,
// and returns the exit status. The process must then end.
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

var errCrashed = errors.New("kubevet failed here, by a mistake of its own: please report it with the lines above")

// Recover replaces a panic by the error errCrashed, after it has printed the panic and
// the stack. It must be deferred.
func (a *App) Recover(err *error) {
	if reason := recover(); reason != nil {
		a.Complain("panic: %v", reason)
		a.Stderr.Write(debug.Stack())
		*err = errCrashed
	}
}
