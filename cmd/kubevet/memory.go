package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/kubevet/kubevet/cmd/kubevet/internal/startup"
)

// frugal is the memory from which on garbage is collected as soon as it helps:
// a run over gigabytes keeps some tens of megabytes at a time. The pages of the
// program itself, some sixty megabytes, come on top of it.
const frugal = 64 << 20

// whileFrugal is what the heap may grow by between two collections, in percent,
// where the memory is limited: then the limit is what counts.
const whileFrugal = 4000

// room is what may be allocated at the least between two collections.
const room = 16 << 20

// beFrugal limits the memory to what is given or, where much of that is kept,
// such as the tree of a list of ten thousand objects, to half as much again as is
// kept, and some room: under a limit near it the collector would run all the
// time. Garbage that was found is what tells that a collection is over. Up to the
// first one startup.Ballast counts as allocated, too.
func beFrugal(least int64) {
	debug.SetMemoryLimit(least + startup.Ballast)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	times := 0
	var collected func(*sentinel)
	collected = func(s *sentinel) {
		switch times++; times {
		case 1:
			startup.Collected()
		case 2: // it is a long run
			forgetProgram()
		}
		metrics.Read(live)
		kept := int64(live[0].Value.Uint64())
		debug.SetMemoryLimit(max(least, kept+kept/2+room))
		runtime.SetFinalizer(s, collected)
	}
	runtime.SetFinalizer(&sentinel{}, collected)
}

// sentinel is garbage that is larger than the allocations that share a block,
// in which it might never be found.
type sentinel struct{ _ [32]byte }
