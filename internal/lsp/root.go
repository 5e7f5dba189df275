package lsp

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/kubevet/kubevet/internal/lsp/folder"
)

// root is a folder of the workspace, with the findings in its files. A document outside
// the workspace has its directory as root.
type root struct {
	*folder.Folder
	s *server
	// openOnly is true if only open documents are checked: in the directory of a document
	// outside the workspace.
	openOnly bool
	ctx      context.Context
	stop     context.CancelFunc
	once     sync.Once

	mu    sync.Mutex
	files map[string]*fileFindings // by path
	// dirty has the paths of files to check alone. A change of dirty sends to wake, whose
	// buffer has one element.
	dirty map[string]bool
	wake  chan struct{}
	later delayedWork
}

// addRoot adds a folder of the workspace. It returns the new root, and the roots of
// single documents that it replaces. The root is nil if the folder is not a directory of
// this machine, is already known, or is too wide. The caller holds the lock of the
// server.
func (s *server) addRoot(uri string) (r *root, replaced []*root) {
	dir, ok := pathOf(uri)
	if !ok {
		return nil, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || tooWide(dir) {
		return nil, nil
	}
	if slices.ContainsFunc(s.roots, func(r *root) bool { return r.Dir == dir && !r.openOnly }) {
		return nil, nil
	}
	r = s.newRoot(dir, false)
	for _, old := range slices.Clone(s.roots) {
		if old.openOnly && r.Contains(old.Dir) {
			s.removeFromList(old)
			replaced = append(replaced, old)
		}
	}
	s.roots = append(s.roots, r)
	return r, replaced
}

// tooWide reports whether a directory is the root of the file system or the user's home
// directory. An editor may open these if it finds no better directory. Only open
// documents are checked there.
func tooWide(dir string) bool {
	home, err := os.UserHomeDir()
	return filepath.Dir(dir) == dir || err == nil && filepath.Clean(home) == dir
}

func (s *server) newRoot(dir string, only bool) *root {
	r := &root{
		Folder: folder.Open(s.o.App, dir, only), s: s, openOnly: only,
		files: map[string]*fileFindings{}, dirty: map[string]bool{}, wake: make(chan struct{}, 1),
	}
	r.later.wake = make(chan struct{}, 1)
	r.ctx, r.stop = context.WithCancel(s.ctx)
	_ = r.SetTarget(s.settings.Target) // no error is possible, because the target was checked
	return r
}

// removeRoot removes a folder of the workspace and returns its root, or nil.
func (s *server) removeRoot(uri string) *root {
	dir, _ := pathOf(uri)
	for _, r := range s.roots {
		if r.Dir == dir && !r.openOnly {
			s.removeFromList(r)
			return r
		}
	}
	return nil
}

// removeFromList removes a root from the list. The caller holds the lock, and must also
// call stopWork.
func (s *server) removeFromList(r *root) {
	s.roots = slices.DeleteFunc(s.roots, func(o *root) bool { return o == r })
}

// rootOf returns the innermost root that contains a file, or nil. The caller holds the
// lock.
func (s *server) rootOf(path string) *root {
	var best *root
	for _, r := range s.roots {
		if r.openOnly && filepath.Dir(path) != r.Dir || !r.Contains(path) {
			continue
		}
		if best == nil || best.openOnly || !r.openOnly && len(r.Dir) > len(best.Dir) {
			best = r
		}
	}
	return best
}

// rootFor returns the innermost root that contains an open document. If there is none, it
// adds the document's directory as a root. The caller holds the lock.
func (s *server) rootFor(path string) *root {
	r := s.rootOf(path)
	if r == nil {
		r = s.newRoot(filepath.Dir(path), true)
		s.roots = append(s.roots, r)
		r.startWork()
	}
	return r
}

// anyOpenIn reports whether a root has an open document. The caller holds the lock.
func (s *server) anyOpenIn(r *root) bool {
	for path := range s.docs {
		if s.rootOf(path) == r {
			return true
		}
	}
	return false
}

// startWork starts the goroutines of a root. Further calls do nothing.
func (r *root) startWork() {
	r.once.Do(func() {
		r.s.work.Go(r.checkLoop)
		r.s.work.Go(r.delayedLoop)
		r.rescan(0)
	})
}

func (r *root) stopWork() { r.stop() }

// clearDiagnostics removes all diagnostics of a root from the client after the root has
// left the workspace.
func (r *root) clearDiagnostics() {
	r.mu.Lock()
	var shown []string
	for path, f := range r.files {
		if f.sentAny {
			shown = append(shown, path)
		}
	}
	r.files = map[string]*fileFindings{}
	r.mu.Unlock()
	for _, path := range shown {
		r.send(path, nil, nil)
	}
}
