package helmchart

import (
	"slices"
	"sync"
)

// recording has the origin of each part of a chart's output.
type recording struct {
	program  *program
	products []product
	values   *valuesIndex
	// bodies has the output of each template file, by Output.key.
	bodies map[string]*emission
	files  []*file  // the chart's files that are not templates
	texts  sync.Map // *file to *fileText, for files with findings
}

// fileText is the text of a file and an index of its lines.
type fileText struct {
	text  string
	lines textLines
}

// fileSpan converts an offset in a file that is not a template to a line and a
// column.
func (r *recording) fileSpan(f *file, at int) spot {
	t, ok := r.texts.Load(f)
	if !ok {
		t, _ = r.texts.LoadOrStore(f, &fileText{text: string(f.data)})
	}
	of := t.(*fileText)
	return of.lines.span(f.place, of.text, at, at)
}

// Recordings caches the most recently used recordings of renderings. A
// recording takes many times the memory of the output. The zero value is empty.
// It is safe for concurrent use.
type Recordings struct {
	mu   sync.Mutex
	last []*cachedRecording
}

// cachedRecording is the recording of a rendering. It may still be in progress.
type cachedRecording struct {
	of   *Rendering
	once sync.Once
	is   *recording
}

// maxRecordings is the largest number of recordings in a Recordings.
const maxRecordings = 8

// of returns the recording of a rendering. It records the rendering first if
// necessary. It returns nil if the rendering cannot be recorded.
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
		// The recording runs the templates again. They did not panic in the
		// first rendering, but may panic now.
		defer func() { _ = recover() }()
		found.is = r.again()
	})
	return found.is
}
