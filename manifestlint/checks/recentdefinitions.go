package checks

import (
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
)

// maxRecent bounds the definitions that are remembered, in bytes of their text:
// their trees and schemas take ten times as much.
const maxRecent = 6 << 20

// recentDefinitions remember the definitions that were read last. One that they
// have forgotten is read again when it is needed.
type recentDefinitions struct {
	mu   sync.Mutex
	left int // in bytes of text
	list []recentDefinition
	set  map[*customresource.Definition]bool // those of the list

	outlines manifestlint.Outlines
}

type recentDefinition struct {
	definition *customresource.Definition
	size       int
}

// add remembers a definition, whose text has a size, and forgets the oldest ones
// for it; one whose object is held as a tree anyway has none.
func (r *recentDefinitions) add(d *customresource.Definition, size int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.left < size && len(r.list) > 0 {
		r.left += r.list[0].size
		delete(r.set, r.list[0].definition)
		r.list[0] = recentDefinition{}
		r.list = r.list[1:]
	}
	r.left -= size
	r.list = append(r.list, recentDefinition{d, size})
	if r.set == nil {
		r.set = map[*customresource.Definition]bool{}
	}
	r.set[d] = true
}

// has reports whether a definition is remembered.
func (r *recentDefinitions) has(d *customresource.Definition) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.set[d]
}
