package lsp

import (
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/rules"
)

// closedVersion stands for the version of a document that is not open.
const closedVersion = -1 << 31

// The parts of the findings in a file, which are replaced one by one.
const (
	// plain are those in the text of the file.
	plain = iota
	// rendered are those in the output of kustomizations and charts.
	rendered
	// golang are those of Go code.
	golang
	// configured are mistakes in a configuration.
	configured
	parts
)

// fileFindings are the findings in a file.
type fileFindings struct {
	parts [parts][]rules.Finding
	// version is that of the document that plain is about, renderedVersion that of
	// rendered, goVersion that of golang.
	version, renderedVersion, goVersion int
	// sent has the diagnostics that the client got; shown is set if there are any.
	sent  uint64
	shown bool
}

// file returns the findings in a file. The caller holds the lock.
func (r *root) file(path string) *fileFindings {
	f := r.files[path]
	if f == nil {
		f = &fileFindings{version: closedVersion, renderedVersion: closedVersion, goVersion: closedVersion}
		r.files[path] = f
	}
	return f
}

// storeFile replaces the findings in the text of a file.
func (r *root) storeFile(path string, found []rules.Finding, version int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.file(path)
	if version >= f.version || version == closedVersion {
		f.parts[plain], f.version = found, version
	}
}

// storePart replaces a part of the findings in a file.
func (r *root) storePart(path string, part int, found []rules.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.file(path).parts[part] = found
}

// storeScan replaces all findings of the folder, and returns the files that changed.
// versions are those of the documents that were checked. A document that is not a
// file of the folder is checked by itself.
func (r *root) storeScan(found []rules.Finding, versions map[string]int) []string {
	return r.store(found, versions, func(path string) bool {
		_, open := versions[path]
		return !open || r.Knows(path)
	})
}

// storeChart replaces the findings below the directory of a chart.
func (r *root) storeChart(chart string, found []rules.Finding, versions map[string]int) []string {
	return r.store(found, versions, func(path string) bool {
		rel, err := filepath.Rel(chart, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// store replaces the findings in some files. Those in a document that changed meanwhile
// stay: it is checked again.
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

// found returns the findings in a file that are about a version of its document.
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

// all returns the findings in a file.
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

// shift moves the findings of renderings behind an edit with their lines, until the file
// is rendered again.
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

// textOf returns the text of a file: that of its document, or of the disk; nil if it
// cannot be read.
func (r *root) textOf(path string) *text {
	if d := r.s.opened(path); d != nil {
		return d.text
	}
	return r.diskText(path)
}

// diskText reads a file of the folder.
func (r *root) diskText(path string) *text {
	data, err := treefile.Read(path, nil, maxText)
	if err != nil {
		return nil
	}
	return newText(strings.ToValidUTF8(string(data), "\ufffd"))
}
