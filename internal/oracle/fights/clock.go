package main

import (
	"math/rand/v2"
	"sync"
	"time"
)

// clock is the simulated time of a scene. It advances when the scene sleeps and
// when requests are sent.
type clock struct {
	mu   sync.Mutex
	rand *rand.Rand
	now  time.Time
	last *actor
}

// stamp returns the time of the next request of an actor. If the last request
// came from another actor, the next request is a reaction to it, and is later
// by the reaction time of a.
func (c *clock) stamp(a *actor) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.last == a:
		c.now = c.now.Add(c.between(2*time.Millisecond, 20*time.Millisecond))
	case c.last != nil:
		c.now = c.now.Add(c.between(a.fast, a.slow))
	}
	c.last = a
	return c.now
}

// answered advances the time to the end of a request.
func (c *clock) answered(at time.Time, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if end := at.Add(took); end.After(c.now) {
		c.now = end
	}
}

// sleep advances the time. The next request is not a reaction to an earlier
// one.
func (c *clock) sleep(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.last = nil
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// between returns a random duration between low and high. The caller holds the
// lock.
func (c *clock) between(low, high time.Duration) time.Duration {
	if high <= low {
		return low
	}
	return low + time.Duration(c.rand.Int64N(int64(high-low)))
}
