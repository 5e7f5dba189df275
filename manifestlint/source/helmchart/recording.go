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
	bodies map[string]*templateOutput
	files  []*file  // the chart's files that are not templates
	texts  sync.Map // from *file to *fileText, for files with findings
}

type fileText struct {
	text  string
	lines textLines
}

// fileSpan converts an offset in a file that is not a template to a line and a
// column.
func (r *recording) fileSpan(f *file, at int) location {
	t, ok := r.texts.Load(f)
	if !ok {
		t, _ = r.texts.LoadOrStore(f, &fileText{text: string(f.data)})
	}
	file := t.(*fileText)
	return file.lines.span(f.place, file.text, at, at)
}

// Recordings caches the most recently used recordings of renderings. A
// recording needs many times the memory of the output. The zero value is empty.
// It is safe for concurrent use.
type Recordings struct {
	mu   sync.Mutex
	last []*cachedRecording
}

// cachedRecording is the recording of a rendering, which may still be in
// progress.
type cachedRecording struct {
	rendering *Rendering
	once      sync.Once
	recording *recording
}

// maxRecordings is the largest number of recordings in a Recordings.
const maxRecordings = 8

// get returns the recording of a rendering, which it makes if necessary. It
// returns nil if the rendering cannot be recorded.
func (k *Recordings) get(r *Rendering) *recording {
	k.mu.Lock()
	i := slices.IndexFunc(k.last, func(recording *cachedRecording) bool { return recording.rendering == r })
	var found *cachedRecording
	if i >= 0 {
		found = k.last[i]
		k.last = append(slices.Delete(k.last, i, i+1), found)
	} else {
		found = &cachedRecording{rendering: r}
		if len(k.last) >= maxRecordings {
			k.last = slices.Delete(k.last, 0, 1)
		}
		k.last = append(k.last, found)
	}
	k.mu.Unlock()
	found.once.Do(func() {
		// Recording runs the templates again. They did not panic in the first
		// rendering, but may panic now.
		defer func() { _ = recover() }()
		found.recording = r.renderAgain()
	})
	return found.recording
}
