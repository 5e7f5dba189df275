package app

import (
	"cmp"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Ending has the clean-up for a process that ends while a verb still runs, because the
// verb hangs or does not notice the end of its context. A nil Ending records nothing. Its
// methods are safe for concurrent use.
type Ending struct {
	mu     sync.Mutex
	undo   []func()
	status int // 0 for StatusIncomplete
	grace  time.Duration
}

// Add adds a function that removes temporary files. It is called while the verb still
// runs, perhaps after the files are gone.
func (e *Ending) Add(undo func()) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.undo = append(e.undo, undo)
}

// SetStatus sets the exit status.
func (e *Ending) SetStatus(status int) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status = status
}

// SetGrace sets how long the verb may take to end after an interrupt.
func (e *Ending) SetGrace(d time.Duration) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.grace = d
}

// grace is the time in which a verb must end after an interrupt, if it has not set
// another. With what follows, the process ends within a second.
const grace = 700 * time.Millisecond

// Grace returns how long the verb may take to end after an interrupt.
func (e *Ending) Grace() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return cmp.Or(e.grace, grace)
}

// undoTime bounds how long Abandon waits for a terminal or a file system.
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

// errCrashed is the error of a verb that panicked.
var errCrashed = errors.New("kubevet failed here, by a mistake of its own: please report it with the lines above")

// Recover replaces a panic by an error, after it has printed where it happened. Defer it.
func (a *App) Recover(err *error) {
	if reason := recover(); reason != nil {
		a.Complain("panic: %v", reason)
		a.Stderr.Write(debug.Stack())
		*err = errCrashed
	}
}
