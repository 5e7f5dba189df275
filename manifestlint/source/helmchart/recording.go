package helmchart

import (
	"slices"
	"sync"
)

// recording is what a rendering did.
type recording struct {
	program *program
	made    []product
	values  *valuesIndex
	bodies  map[string]*emission // by the key of the output
	files   []*file              // those that are no templates, of the same chart
}

// Recordings keep what the last renderings did that somebody asked about: it
// takes many times the memory of what they wrote. The zero value keeps none
// yet. It is safe for concurrent use.
type Recordings struct {
	mu   sync.Mutex
	last []*kept
}

// kept is a recording that is being made, or is there.
type kept struct {
	of   *Rendering
	once sync.Once
	is   *recording
}

// maxRecordings is how many are kept.
const maxRecordings = 8

// of gives the recording of a rendering; nil if there is none.
func (k *Recordings) of(r *Rendering) *recording {
	k.mu.Lock()
	i := slices.IndexFunc(k.last, func(had *kept) bool { return had.of == r })
	var found *kept
	if i >= 0 {
		found = k.last[i]
		k.last = append(slices.Delete(k.last, i, i+1), found)
	} else {
		found = &kept{of: r}
		if len(k.last) >= maxRecordings {
			k.last = slices.Delete(k.last, 0, 1)
		}
		k.last = append(k.last, found)
	}
	k.mu.Unlock()
	found.once.Do(func() {
		// It did not panic the first time.
		defer func() { _ = recover() }()
		found.is = r.again()
	})
	return found.is
}
