package goload

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// run parses and type-checks all packages that are needed, each package after its
// imports. It runs the analyzers on the selected packages.
func (g *graph) run(ctx context.Context, workers int) error {
	s := &schedule{}
	s.changed = sync.NewCond(&s.mu)
	for _, n := range slices.Backward(g.nodes) {
		if n.analysed {
			s.reach(n)
		}
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for n := s.next(); n != nil; n = s.next() {
				switch {
				case ctx.Err() != nil:
					s.done(n)
				case !n.parsed:
					var needed []*node
					n.recover(func() { needed = g.parse(n) })
					s.parsed(n, needed)
				default:
					n.recover(func() { g.check(n) })
					s.done(n)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// recover calls f. If f panics, it records that the package cannot be analysed. The type
// checker has panicked on unusual code before.
func (n *node) recover(f func()) {
	defer func() {
		if r := recover(); r != nil {
			n.fail(Error{Msg: fmt.Sprintf("a mistake of its own: please report it (%v)", r), Internal: true})
		}
	}()
	f()
}

// schedule has the packages that wait for a worker. The package that was added last is
// processed first, so that few syntax trees are in memory. Its lock also protects the
// fields of nodes that belong to the schedule.
type schedule struct {
	mu      sync.Mutex
	changed *sync.Cond
	stack   []*node
	// pending is the number of packages that were added and are not done.
	pending int
}

// reach adds a package when it is needed for the first time.
func (s *schedule) reach(n *node) {
	n.reached = true
	s.pending++
	s.stack = append(s.stack, n)
}

// next returns a package for a worker. If the package is not parsed yet, the worker
// parses it, otherwise it checks it. next waits for a package, and returns nil after all
// packages are done.
func (s *schedule) next() *node {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.stack) == 0 && s.pending > 0 {
		s.changed.Wait()
	}
	if len(s.stack) == 0 {
		return nil
	}
	last := len(s.stack) - 1
	n := s.stack[last]
	s.stack = s.stack[:last]
	return n
}

// parsed adds a parsed package again as soon as the needed packages are done.
func (s *schedule) parsed(n *node, needed []*node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n.parsed = true
	for _, d := range needed {
		if d.done {
			continue
		}
		n.waits++
		d.users = append(d.users, n)
		if !d.reached {
			s.reach(d)
		}
	}
	if n.waits == 0 {
		s.stack = append(s.stack, n)
	}
	s.changed.Broadcast()
}

// done adds the packages that waited only for n.
func (s *schedule) done(n *node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n.done = true
	s.pending--
	for _, user := range n.users {
		if user.waits--; user.waits == 0 {
			s.stack = append(s.stack, user)
		}
	}
	s.changed.Broadcast()
}
