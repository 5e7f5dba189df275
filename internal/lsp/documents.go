package lsp

import (
	"path/filepath"
	"strings"
)

const (
	// maxOpen is the maximal number of open documents. maxText is the maximal size of a
	// document in bytes. The server ignores further and larger documents.
	maxOpen = 2000
	maxText = 32 << 20
)

// document is an open document. It is immutable: an edit creates a new document.
type document struct {
	uri, path string
	language  string
	version   int
	text      *text
}

// isGo reports whether the document is Go code, which is checked only when it is saved.
func (d *document) isGo() bool { return strings.EqualFold(filepath.Ext(d.path), ".go") }

type openParams struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

type changeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []struct {
		Range *textRange `json:"range"`
		Text  string     `json:"text"`
	} `json:"contentChanges"`
}

type documentParams struct {
	TextDocument documentID `json:"textDocument"`
}

func (s *server) didOpen(p *openParams) {
	d := &document{uri: p.TextDocument.URI, language: p.TextDocument.LanguageID, version: p.TextDocument.Version}
	path, ok := pathOf(d.uri)
	if !ok {
		return // without a path, the document has no folder and its findings have no file
	}
	s.mu.Lock()
	_, known := s.docs[path]
	tooMany, tooLarge := !known && len(s.docs) >= maxOpen, len(p.TextDocument.Text) > maxText
	if tooMany || tooLarge {
		s.mu.Unlock()
		s.warn(messageWarning, "%s is not checked: there are too many open documents, or it is too large", filepath.Base(path))
		return
	}
	d.path, d.text = path, newText(p.TextDocument.Text)
	s.docs[path] = d
	r := s.rootFor(path)
	s.mu.Unlock()
	r.opened(d)
}

func (s *server) didChange(p *changeParams) {
	s.mu.Lock()
	old := s.document(p.TextDocument.URI)
	if old == nil {
		s.mu.Unlock()
		return
	}
	d := *old
	d.version = p.TextDocument.Version
	r := s.rootFor(d.path)
	for _, change := range p.ContentChanges {
		r.shiftRendered(d.path, change.Range, change.Text)
		d.text = d.text.edit(change.Range, change.Text)
		if len(d.text.data) > maxText {
			delete(s.docs, d.path)
			s.mu.Unlock()
			s.warn(messageWarning, "%s is no longer checked: it is too large", filepath.Base(d.path))
			return
		}
	}
	s.docs[d.path] = &d
	s.mu.Unlock()
	r.edited(old, &d)
}

func (s *server) didSave(p *documentParams) {
	s.mu.Lock()
	d := s.document(p.TextDocument.URI)
	var r *root
	if d != nil {
		r = s.rootFor(d.path)
	}
	checkGo := s.settings.Go
	s.mu.Unlock()
	switch {
	case r == nil:
	case d.isGo() && checkGo:
		s.checkGo(r, d)
	default:
		r.saved(d)
	}
}

func (s *server) didClose(p *documentParams) {
	s.mu.Lock()
	d := s.document(p.TextDocument.URI)
	if d == nil {
		s.mu.Unlock()
		return
	}
	r := s.rootFor(d.path)
	delete(s.docs, d.path)
	over := r.openOnly && !s.anyOpenIn(r)
	if over {
		s.removeFromList(r)
	}
	s.mu.Unlock()
	if over {
		r.stopWork()
		r.clearDiagnostics()
		return
	}
	r.closed(d)
}

// document returns the open document with a URI, or nil. The caller holds the lock.
func (s *server) document(uri string) *document {
	path, ok := pathOf(uri)
	if !ok {
		return nil
	}
	return s.docs[path]
}

// openAt returns the open document with a path, or nil.
func (s *server) openAt(path string) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.docs[path]
}

// openDocument returns the open document with a URI and its root, or nil.
func (s *server) openDocument(uri string) (*document, *root) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.document(uri)
	if d == nil {
		return nil, nil
	}
	return d, s.rootFor(d.path)
}

// texts returns the texts and versions of a root's open documents, by path.
func (s *server) texts(r *root) (texts map[string]string, versions map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts, versions = map[string]string{}, map[string]int{}
	for _, d := range s.docs {
		if !d.isGo() && r.Contains(d.path) && s.rootOf(d.path) == r {
			texts[d.path], versions[d.path] = d.text.data, d.version
		}
	}
	return texts, versions
}

type watchedParams struct {
	Changes []struct {
		URI  string `json:"uri"`
		Type int    `json:"type"`
	} `json:"changes"`
}

// fileChanged is the change type for a file with a new content.
const fileChanged = 2

func (s *server) didChangeWatchedFiles(p *watchedParams) {
	s.mu.Lock()
	again := map[*root]bool{}
	for _, change := range p.Changes {
		path, ok := pathOf(change.URI)
		if !ok || change.Type == fileChanged && s.docs[path] != nil {
			continue // the editor saved the file and also sends didSave
		}
		if r := s.rootOf(path); r != nil && !r.openOnly {
			again[r] = true
		}
	}
	s.mu.Unlock()
	for r := range again {
		r.rescan(watchDelay)
	}
}
