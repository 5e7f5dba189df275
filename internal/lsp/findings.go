package lsp

import (
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/rules"
)

// closedVersion is the version of a document that is not open.
const closedVersion = -1 << 31

// The findings in a file have several parts. Each part is replaced on its own.
const (
	// plain has the findings in the text of the file.
	plain = iota
	// rendered has the findings in the output of kustomizations and charts.
	rendered
	// golang has the findings in Go code.
	golang
	// configured has the mistakes in a configuration.
	configured
	parts
)

// fileFindings has the findings in a file.
type fileFindings struct {
	parts [parts][]rules.Finding
	// These are the versions of the document for which the parts were computed: version
	// for plain, renderedVersion for rendered, and goVersion for golang.
	version, renderedVersion, goVersion int
	// sent is a hash of the last diagnostics for the client. shown is true if there were
	// any.
	sent  uint64
	shown bool
}

// file returns the findings in a file. It adds an entry if there is none. The caller
// holds the lock.
func (r *root) file(path string) *fileFindings {
	f := r.files[path]
	if f == nil {
		f = &fileFindings{version: closedVersion, renderedVersion: closedVersion, goVersion: closedVersion}
		r.files[path] = f
	}
	return f
}

// storeFile replaces the part plain of a file.
func (r *root) storeFile(path string, found []rules.Finding, version int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.file(path)
	if version >= f.version || version == closedVersion {
		f.parts[plain], f.version = found, version
	}
}

// storePart replaces one part of the findings in a file.
func (r *root) storePart(path string, part int, found []rules.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.file(path).parts[part] = found
}

// storeScan replaces the findings of all files and returns the paths of the files that
// changed. versions has the versions of the open documents at the start of the scan. It
// leaves out open documents that are not files of the folder, because they are checked
// alone.
func (r *root) storeScan(found []rules.Finding, versions map[string]int) []string {
	return r.store(found, versions, func(path string) bool {
		_, open := versions[path]
		return !open || r.Knows(path)
	})
}

// storeChart replaces the findings of all files in a chart and returns the paths of the
// files that changed. chart is a directory.
func (r *root) storeChart(chart string, found []rules.Finding, versions map[string]int) []string {
	return r.store(found, versions, func(path string) bool {
		rel, err := filepath.Rel(chart, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// store replaces the findings of the files for which covers returns true, and returns the
// paths of these files. versions has the versions of the documents that were checked. If
// a document has another version now, its findings stay, because the document is checked
// again.
func (r *root) store(found []rules.Finding, versions map[string]int, covers func(path string) bool) (paths []string) {
	byPath := map[string][]rules.Finding{}
	for _, f := range found {
		if path := r.Path(f.File); covers(path) {
			byPath[path] = append(byPath[path], f)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for path := range byPath {
		r.file(path)
	}
	for path, f := range r.files {
		if !covers(path) {
			continue
		}
		version, open := versions[path]
		if !open {
			version = closedVersion
		}
		if open && (f.version > version || f.renderedVersion > version) {
			continue
		}
		f.parts[plain], f.parts[rendered], f.parts[configured] = nil, nil, nil
		for _, one := range byPath[path] {
			part := plain
			if len(one.RenderedBy) > 0 {
				part = rendered
			}
			f.parts[part] = append(f.parts[part], one)
		}
		f.version, f.renderedVersion = version, version
		paths = append(paths, path)
	}
	return paths
}

// found returns the findings in a file that were computed for a version of the document.
func (r *root) found(path string, version int) []rules.Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.files[path]
	if f == nil {
		return nil
	}
	var all []rules.Finding
	if f.version == version {
		all = append(all, f.parts[plain]...)
	}
	if f.renderedVersion == version {
		all = append(all, f.parts[rendered]...)
	}
	if f.goVersion == version {
		all = append(all, f.parts[golang]...)
	}
	return all
}

// all returns the findings in a file, for any version of the document.
func (r *root) all(path string) []rules.Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.files[path]
	if f == nil {
		return nil
	}
	var all []rules.Finding
	for _, part := range f.parts {
		all = append(all, part...)
	}
	return all
}

// shift adjusts the lines of findings from rendering after an edit, until the file is
// rendered again. at is the range that the text with replaces.
func (r *root) shift(path string, at *textRange, with string) {
	if at == nil {
		return
	}
	delta := strings.Count(with, "\n") - (at.End.Line - at.Start.Line)
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.files[path]
	if f == nil || delta == 0 {
		return
	}
	moved := append([]rules.Finding(nil), f.parts[rendered]...)
	for i := range moved {
		if moved[i].Line > at.End.Line+1 {
			moved[i].Line, moved[i].EndLine = moved[i].Line+delta, moved[i].EndLine+delta
		}
	}
	f.parts[rendered] = moved
}

// textOf returns the text of a file from its open document or from the disk. It returns
// nil if the file cannot be read.
func (r *root) textOf(path string) *text {
	if d := r.s.opened(path); d != nil {
		return d.text
	}
	return r.diskText(path)
}

// diskText reads a file of the folder from the disk. It returns nil if the file cannot be
// read.
func (r *root) diskText(path string) *text {
	data, err := treefile.Read(path, nil, maxText)
	if err != nil {
		return nil
	}
	return newText(strings.ToValidUTF8(string(data), "\ufffd"))
}
