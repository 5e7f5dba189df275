//go:build !js

package policy

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	// maxEvaluation is the time after which the evaluation of a policy for one
	// request is stopped.
	maxEvaluation = 5 * time.Second
	// noticeable is the time from which on an evaluation counts as slow.
	noticeable = 200 * time.Millisecond
	// maxSlow is the time that all slow evaluations of a policy may take. After
	// that the policy is not evaluated any more.
	maxSlow = 20 * time.Second
)

// slowness bounds the time that a policy takes. Usual policies take
// microseconds.
type slowness struct{ spent atomic.Int64 }

// exhausted reports whether the policy must not be evaluated any more.
func (s *slowness) exhausted() bool { return time.Duration(s.spent.Load()) > maxSlow }

// start returns the context of an evaluation and a function that ends it.
func (s *slowness) start(parent context.Context) (context.Context, func()) {
	begin := time.Now()
	ctx, cancel := context.WithTimeout(parent, maxEvaluation)
	return ctx, func() {
		cancel()
		if took := time.Since(begin); took >= noticeable {
			s.spent.Add(int64(took))
		}
	}
}
