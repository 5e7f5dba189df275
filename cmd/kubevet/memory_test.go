package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestFrugal counts the collections of a run that keeps more than it should:
// under a limit that does not give, each page of garbage costs one.
func TestFrugal(t *testing.T) {
	const mega = 1 << 20
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	collections := func(kept int) uint32 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		keep := make([][]byte, kept)
		for i := range keep {
			keep[i] = make([]byte, mega)
		}
		for range 40 * kept {
			garbage = make([]byte, mega/4)
		}
		runtime.KeepAlive(keep)
		runtime.ReadMemStats(&after)
		return after.NumGC - before.NumGC
	}
	beFrugal(32 * mega)
	// Ten times what is kept is thrown away, and every collection finds about
	// half as much garbage as is kept: some twenty, and more until the limit is known.
	if n := collections(64); n > 60 {
		t.Errorf("%d collections", n)
	}
}

// garbage makes the compiler allocate.
var garbage []byte
