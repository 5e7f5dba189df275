package app

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Step shows the name of a step, and the number of inputs that are done, on a status
// line.
type Step struct {
	name  string
	total int64
	done  atomic.Int64
	stop  func()
}

// NewStep shows a step on a status line until Done is called. total is the number of
// inputs, or 0 if unknown. For at most one input, the line shows only the time.
func NewStep(line *StatusLine, name string, total int) *Step {
	s := &Step{name: name, total: int64(total)}
	s.stop = line.Show(func(spent time.Duration) string { return s.text(s.done.Load(), spent) })
	return s
}

// Add records that one more input is done. It is safe for concurrent use.
func (s *Step) Add() { s.done.Add(1) }

// Done removes the status line.
func (s *Step) Done() { s.stop() }

func (s *Step) text(done int64, spent time.Duration) string {
	if s.total <= 1 || done > s.total {
		return fmt.Sprintf("%s, %v", s.name, spent.Truncate(time.Second))
	}
	return fmt.Sprintf("%s %s: %d of %d files", barText(done, s.total), s.name, done, s.total)
}
