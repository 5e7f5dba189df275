package chartworker

import "golang.org/x/sys/unix"

// limitMemory makes the kernel refuse memory beyond maxMemory. So a large allocation is
// refused before the watcher could see it. The limit is for writable private memory. It
// includes the used part of the Go heap, but not the address space that Go has reserved.
func limitMemory() {
	const further = 256 << 20 // for tables of the Go runtime and the data of the program
	limit := unix.Rlimit{Cur: maxMemory + further, Max: maxMemory + further}
	// The watcher limits the memory, too, so an error is ignored.
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &limit)
}
