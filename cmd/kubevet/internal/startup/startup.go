// Package startup prepares the memory of the program before the packages that it
// is made of are initialized. That allocates some megabytes, nearly all of which
// stay: page by page of 4 KiB the kernel takes longer to provide them than it
// takes to fill them, and the garbage collector would look through them in vain.
//
// The first memory is backed by pages of 2 MiB where the system has them to give.
// Go has no switch for that, but the kernel takes advice on a range of addresses,
// and what the heap gets back it allocates next. The advice is for the time before
// the first collection, when memory is only ever added.
//
// Packages are initialized in the order of their import paths, as far as their
// own imports allow (Go specification, program initialization). This one imports
// nearly nothing, and so it comes before those that allocate much. Where it should
// come later in a release of Go, only time is lost.
package startup

import (
	"runtime"
	"unsafe"
)

// Ballast is how many bytes count as allocated, without being used, until the
// first collection after Done.
const Ballast = 40 << 20

// room is enough for a run over some thousand files before it first collects, and
// less than the ballast, so that it makes no collection of its own.
const room = Ballast - 4<<20

var ballast = prepare()

// advised is what the kernel was given advice on.
var advised []addresses

// addresses are those of a range of memory. They keep nothing alive.
type addresses struct{ first, size uintptr }

// prepare gives the ballast and leaves the heap with room that is free.
func prepare() []byte {
	runtime.MemProfileRate = 0 // nobody asks for a profile of the heap
	b := make([]byte, Ballast)
	advise(b)
	takeRoom()
	runtime.GC() // there is nothing to look through yet
	return b
}

// takeRoom is a function of its own so that nothing refers to its memory later.
//
//go:noinline
func takeRoom() { advise(make([]byte, room)) }

func advise(b []byte) {
	a := addresses{uintptr(unsafe.Pointer(&b[0])), uintptr(len(b))}
	advised = append(advised, a)
	a.hugePages(true)
}

// Done is called when the program is initialized.
func Done() { ballast = nil }

// Collected is called after the first collection: from then on memory is given
// back, too, in smaller pieces than large pages.
func Collected() {
	for _, a := range advised {
		a.hugePages(false)
	}
	advised = nil
}
