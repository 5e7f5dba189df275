package helmchart

import (
	"slices"
	"sync"
)

// recording is a rendering with the origins of its output.
type recording struct {
	program  *program
	products []product
	values   *valuesIndex
	bodies   map[string]*emission // by the key of the output
	files    []*file              // files of the same chart that are not templates
	texts    sync.Map             // *file to *fileText, of the files that findings are in
}

// fileText is a file as a text.
type fileText struct {
	text  string
	lines textLines
}

// fileSpan converts an offset in a file that is not a template.
func (r *recording) fileSpan(f *file, at int) spot {
	t, ok := r.texts.Load(f)
	if !ok {
		t, _ = r.texts.LoadOrStore(f, &fileText{text: string(f.data)})
	}
	of := t.(*fileText)
	return of.lines.span(f.place, of.text, at, at)
}

// Recordings keep the most recently used recordings. A recording takes many
// times the memory of the output. The zero value is empty. It is safe for
// concurrent use.
type Recordings struct {
	mu   sync.Mutex
	last []*cachedRecording
}

// cachedRecording is a recording that exists or is being made.
type cachedRecording struct {
	of   *Rendering
	once sync.Once
	is   *recording
}

// maxRecordings is the number of recordings in memory.
const maxRecordings = 8

// of returns the recording of a rendering, or nil if there is none.
func (k *Recordings) of(r *Rendering) *recording {
	k.mu.Lock()
	i := slices.IndexFunc(k.last, func(had *cachedRecording) bool { return had.of == r })
	var found *cachedRecording
	if i >= 0 {
		found = k.last[i]
		k.last = append(slices.Delete(k.last, i, i+1), found)
	} else {
		found = &cachedRecording{of: r}
		if len(k.last) >= maxRecordings {
			k.last = slices.Delete(k.last, 0, 1)
		}
		k.last = append(k.last, found)
	}
	k.mu.Unlock()
	found.once.Do(func() {
		// The first rendering did not panic.
		defer func() { _ = recover() }()
		found.is = r.again()
	})
	return found.is
}
