package lsp

import (
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/rules"
)

// closedVersion is the version of a document that is not open.
const closedVersion = -1 << 31

// The findings in a file have several parts, which are replaced independently.
const (
	// partText has the findings in the text of the file.
	partText = iota
	// partRendered has the findings in the output of kustomizations and charts.
	partRendered
	// partGo has the findings in Go code.
	partGo
	// partConfig has the mistakes in a configuration.
	partConfig
	partCount
)

type fileFindings struct {
	parts [partCount][]rules.Finding
	// The parts were computed for these versions of the document: partText for version,
	// partRendered for renderedVersion, and partGo for goVersion.
	version, renderedVersion, goVersion int
	// sentHash is a hash of the last diagnostics that were sent. sentAny is true if there
	// were any diagnostics.
	sentHash uint64
	sentAny  bool
}

// file returns the findings in a file, after adding an empty entry for a new file. The
// caller holds the lock.
func (r *root) file(path string) *fileFindings {
	f := r.files[path]
	if f == nil {
		f = &fileFindings{version: closedVersion, renderedVersion: closedVersion, goVersion: closedVersion}
		r.files[path] = f
	}
	return f
}

func (r *root) storeFile(path string, found []rules.Finding, version int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.file(path)
	if version >= f.version || version == closedVersion {
		f.parts[partText], f.version = found, version
	}
}

func (r *root) storePart(path string, part int, found []rules.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.file(path).parts[part] = found
}

// storeScan replaces the findings of all files and returns the paths of the changed
// files. versions has the versions of the open documents at the start of the scan. Open
// documents that are not files of the folder keep their findings, because they are
// checked alone.
func (r *root) storeScan(found []rules.Finding, versions map[string]int) []string {
	return r.store(found, versions, func(path string) bool {
		_, open := versions[path]
		return !open || r.Knows(path)
	})
}

// storeChart replaces the findings of all files in a chart and returns the paths of the
// changed files. chart is a directory.
func (r *root) storeChart(chart string, found []rules.Finding, versions map[string]int) []string {
	return r.store(found, versions, func(path string) bool {
		rel, err := filepath.Rel(chart, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// store replaces the findings of the files for which covers returns true, and returns the
// paths of these files. versions has the document versions that were checked. A document
// that has another version now keeps its findings, because it is checked again.
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
		f.parts[partText], f.parts[partRendered], f.parts[partConfig] = nil, nil, nil
		for _, one := range byPath[path] {
			part := partText
			if len(one.RenderedBy) > 0 {
				part = partRendered
			}
			f.parts[part] = append(f.parts[part], one)
		}
		f.version, f.renderedVersion = version, version
		paths = append(paths, path)
	}
	return paths
}

// findingsFor returns the findings in a file that were computed for a version of the
// document.
func (r *root) findingsFor(path string, version int) []rules.Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.files[path]
	if f == nil {
		return nil
	}
	var all []rules.Finding
	if f.version == version {
		all = append(all, f.parts[partText]...)
	}
	if f.renderedVersion == version {
		all = append(all, f.parts[partRendered]...)
	}
	if f.goVersion == version {
		all = append(all, f.parts[partGo]...)
	}
	return all
}

// allFindings returns the findings in a file for any version of the document.
func (r *root) allFindings(path string) []rules.Finding {
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

// shiftRendered adjusts the lines of findings from rendering after an edit, until the
// file is rendered again. replaced is the range that the edit replaces, and replacement
// is its new text.
func (r *root) shiftRendered(path string, replaced *textRange, replacement string) {
	if replaced == nil {
		return
	}
	delta := strings.Count(replacement, "\n") - (replaced.End.Line - replaced.Start.Line)
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.files[path]
	if f == nil || delta == 0 {
		return
	}
	moved := append([]rules.Finding(nil), f.parts[partRendered]...)
	for i := range moved {
		if moved[i].Line > replaced.End.Line+1 {
			moved[i].Line, moved[i].EndLine = moved[i].Line+delta, moved[i].EndLine+delta
		}
	}
	f.parts[partRendered] = moved
}

// textOf returns the text of an open document or of a file on the disk. It returns nil if
// the file cannot be read.
func (r *root) textOf(path string) *text {
	if d := r.s.openAt(path); d != nil {
		return d.text
	}
	return r.diskText(path)
}

// diskText returns the text of a file on the disk, or nil if it cannot be read.
func (r *root) diskText(path string) *text {
	data, err := treefile.Read(path, nil, maxText)
	if err != nil {
		return nil
	}
	return newText(strings.ToValidUTF8(string(data), "\ufffd"))
}
