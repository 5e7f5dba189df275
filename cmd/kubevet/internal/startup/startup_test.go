package startup

import (
	"runtime"
	"testing"
)

// TestRoom holds what other packages find: memory that is free but not unknown to
// the heap, and no reason to collect while they use it.
func TestRoom(t *testing.T) {
	if ballast == nil {
		t.Skip("a process starts once")
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc < Ballast || m.HeapSys < Ballast+room {
		t.Errorf("%d MiB are allocated of a heap of %d, want the ballast and the room", m.HeapAlloc>>20, m.HeapSys>>20)
	}
	collections := m.NumGC
	for range room >> 20 {
		held = append(held, make([]byte, 1<<20))
	}
	runtime.ReadMemStats(&m)
	if m.NumGC != collections {
		t.Errorf("%d collections while the room is filled, want none", m.NumGC-collections)
	}
	held = nil
	Done()
	runtime.GC()
	if runtime.ReadMemStats(&m); m.HeapAlloc > 8<<20 {
		t.Errorf("%d MiB are allocated at the end", m.HeapAlloc>>20)
	}
}

var held [][]byte
