package chartworker

import "golang.org/x/sys/unix"

// limitMemory lets the kernel refuse memory beyond the ceiling. A single large
// allocation is then refused before it is used, and before the watcher sees it.
// The limit is for writable private memory, which the Go heap is once it is used;
// its reserved address space does not count.
func limitMemory() {
	const further = 256 << 20 // tables of the runtime, and the program's data
	limit := unix.Rlimit{Cur: maxMemory + further, Max: maxMemory + further}
	// The watcher bounds the memory without it, too.
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &limit)
}
