package tally

import "testing"

// TestObjectTable checks that objects do not replace each other in the table.
// Otherwise each run would have other counts.
func TestObjectTable(t *testing.T) {
	var table objectTable
	const objects = maxObjects / 2
	for i := range uint64(objects) {
		table.at(i<<32 | 1).read = int64(i) + 1
	}
	for i := range uint64(objects) {
		if got := table.at(i<<32 | 1).read; got != int64(i)+1 {
			t.Fatalf("object %d has %d, want %d", i, got, i+1)
		}
	}
	for i := range uint64(2 * maxObjects) {
		table.at(i)
	}
	if n := len(table.slots); n > maxObjects {
		t.Errorf("%d objects, want at most %d", n, maxObjects)
	}
}
