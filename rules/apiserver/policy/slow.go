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
	// noticeable is the duration from which an evaluation counts as slow.
	noticeable = 200 * time.Millisecond
	// maxSlow is the total time of slow evaluations after which a policy is no
	// longer evaluated.
	maxSlow = 20 * time.Second
)

// slowness is the time that a policy took in slow evaluations of all requests.
// Usual policies take microseconds.
type slowness struct{ spent atomic.Int64 }

func (s *slowness) exhausted() bool { return time.Duration(s.spent.Load()) > maxSlow }

// start returns the context for an evaluation, and a function to be called at its
// end.
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
