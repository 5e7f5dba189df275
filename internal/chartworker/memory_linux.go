package chartworker

import "golang.org/x/sys/unix"

// limitMemory makes the kernel refuse memory beyond maxMemory. So a single large
// allocation is refused before it is used, and before the watcher can see it. The limit
// is for writable private memory. This includes the part of the Go heap that is in use,
// but not the address space that Go has reserved.
func limitMemory() {
	const further = 256 << 20 // for tables of the Go runtime and the data of the program
	limit := unix.Rlimit{Cur: maxMemory + further, Max: maxMemory + further}
	// An error is ignored, because the watcher also limits the memory.
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &limit)
}
