package app

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Step shows a step of a run on a status line, and how many of its inputs are done.
type Step struct {
	name  string
	total int64
	done  atomic.Int64
	stop  func()
}

// NewStep starts to show a step on a line. total is the number of its inputs, 0 if
// it is not known. For a single input, only the time is shown.
func NewStep(line *StatusLine, name string, total int) *Step {
	s := &Step{name: name, total: int64(total)}
	s.stop = line.Show(func(spent time.Duration) string { return s.text(s.done.Load(), spent) })
	return s
}

// Add records one more input. It is safe for concurrent use.
func (s *Step) Add() { s.done.Add(1) }

// Done removes the line.
func (s *Step) Done() { s.stop() }

// text returns the line after a number of inputs and some time.
func (s *Step) text(done int64, spent time.Duration) string {
	if s.total <= 1 || done > s.total {
		return fmt.Sprintf("%s, %v", s.name, spent.Truncate(time.Second))
	}
	return fmt.Sprintf("%s %s: %d of %d files", barText(done, s.total), s.name, done, s.total)
}
