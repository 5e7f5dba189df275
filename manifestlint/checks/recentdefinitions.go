package checks

import (
	"sync"

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
		r.list[0] = recentDefinition{}
		r.list = r.list[1:]
	}
	r.left -= size
	r.list = append(r.list, recentDefinition{d, size})
}
