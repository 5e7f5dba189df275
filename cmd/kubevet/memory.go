package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// frugal is the memory from which on garbage is collected as soon as it helps:
// a run over gigabytes keeps some tens of megabytes at a time.
const frugal = 120 << 20

// beFrugal limits the memory to what is given or, where more than half of that
// is kept, such as the tree of a list of ten thousand objects, to twice what is
// kept: under a limit near it the collector would run all the time. Garbage
// that was found is what tells that a collection is over.
func beFrugal(least int64) {
	debug.SetMemoryLimit(least)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var collected func(*sentinel)
	collected = func(s *sentinel) {
		metrics.Read(live)
		debug.SetMemoryLimit(max(least, 2*int64(live[0].Value.Uint64())))
		runtime.SetFinalizer(s, collected)
	}
	runtime.SetFinalizer(&sentinel{}, collected)
}

// sentinel is garbage that is larger than the allocations that share a block,
// in which it might never be found.
type sentinel struct{ _ [32]byte }
