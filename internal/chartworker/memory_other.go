//go:build !linux

package chartworker

// limitMemory does nothing, because the watcher limits the memory.
func limitMemory() {}
