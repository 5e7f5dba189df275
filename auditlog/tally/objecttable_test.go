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
	if table.forgotten != 0 {
		t.Errorf("%d objects with a version are forgotten, want none", table.forgotten)
	}
	for i := range table.slots {
		table.slots[i].version = 1
	}
	known := int64(len(table.slots))
	for i := range uint64(maxObjects) {
		table.at(i + 4*maxObjects)
	}
	if table.forgotten != known {
		t.Errorf("%d objects are forgotten, want %d", table.forgotten, known)
	}
}
