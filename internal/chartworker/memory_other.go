//go:build !linux

package chartworker

// limitMemory does nothing. The watcher bounds the memory.
func limitMemory() {}
