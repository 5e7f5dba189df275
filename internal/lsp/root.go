package lsp

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/kubevet/kubevet/internal/lsp/folder"
)

// root is a folder of the workspace and the findings in its files. For a document outside
// the workspace, it is the directory of the document.
type root struct {
	*folder.Folder
	s *server
	// only is true for the directory of a document outside the workspace. Then only open
	// documents in it are checked.
	only bool
	ctx  context.Context
	stop context.CancelFunc
	once sync.Once

	mu    sync.Mutex
	files map[string]*fileFindings // by path
	// dirty has the paths of files to check alone. wake is sent to when dirty changes.
	// Its buffer has one element.
	dirty map[string]bool
	wake  chan struct{}
	later later
}

// addRoot adds a folder of the workspace. It returns the new root, and the roots of
// single documents that it replaces. It returns nil if the folder is not a directory of
// this machine, is already known, or is too wide. In a folder that is too wide, only open
// documents are checked. The caller holds the lock of the server.
func (s *server) addRoot(uri string) (r *root, replaced []*root) {
	dir, ok := pathOf(uri)
	if !ok {
		return nil, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || tooWide(dir) {
		return nil, nil
	}
	if slices.ContainsFunc(s.roots, func(r *root) bool { return r.Dir == dir && !r.only }) {
		return nil, nil
	}
	r = s.newRoot(dir, false)
	for _, old := range slices.Clone(s.roots) {
		if old.only && r.Contains(old.Dir) {
			s.drop(old)
			replaced = append(replaced, old)
		}
	}
	s.roots = append(s.roots, r)
	return r, replaced
}

// tooWide reports whether a directory is the root of the file system or the home
// directory of the user. An editor may use such a directory as workspace if it finds no
// better one.
func tooWide(dir string) bool {
	home, err := os.UserHomeDir()
	return filepath.Dir(dir) == dir || err == nil && filepath.Clean(home) == dir
}

func (s *server) newRoot(dir string, only bool) *root {
	r := &root{
		Folder: folder.Open(s.o.App, dir, only), s: s, only: only,
		files: map[string]*fileFindings{}, dirty: map[string]bool{}, wake: make(chan struct{}, 1),
	}
	r.later.wake = make(chan struct{}, 1)
	r.ctx, r.stop = context.WithCancel(s.ctx)
	_ = r.SetTarget(s.settings.Target) // there is no error, because the target was checked
	return r
}

// removeRoot removes a folder of the workspace and returns its root, or nil.
func (s *server) removeRoot(uri string) *root {
	dir, _ := pathOf(uri)
	for _, r := range s.roots {
		if r.Dir == dir && !r.only {
			s.drop(r)
			return r
		}
	}
	return nil
}

// drop removes a root from the list. The caller holds the lock, and must also call end.
func (s *server) drop(r *root) {
	s.roots = slices.DeleteFunc(s.roots, func(o *root) bool { return o == r })
}

// rootOf returns the innermost root that contains a file, or nil. The caller holds the
// lock.
func (s *server) rootOf(path string) *root {
	var best *root
	for _, r := range s.roots {
		if r.only && filepath.Dir(path) != r.Dir || !r.Contains(path) {
			continue
		}
		if best == nil || best.only || !r.only && len(r.Dir) > len(best.Dir) {
			best = r
		}
	}
	return best
}

// rootFor returns the innermost root that contains an open document. If there is none, it
// adds a root for the directory of the document. The caller holds the lock.
func (s *server) rootFor(path string) *root {
	r := s.rootOf(path)
	if r == nil {
		r = s.newRoot(filepath.Dir(path), true)
		s.roots = append(s.roots, r)
		r.begin()
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

// begin starts the work of a root. Further calls do nothing.
func (r *root) begin() {
	r.once.Do(func() {
		r.s.work.Go(r.checkLoop)
		r.s.work.Go(r.laterLoop)
		r.rescan(0)
	})
}

// end stops the work of a root.
func (r *root) end() { r.stop() }

// forget removes all diagnostics of a root from the client, because the root is no longer
// part of the workspace.
func (r *root) forget() {
	r.mu.Lock()
	var shown []string
	for path, f := range r.files {
		if f.shown {
			shown = append(shown, path)
		}
	}
	r.files = map[string]*fileFindings{}
	r.mu.Unlock()
	for _, path := range shown {
		r.send(path, nil, nil)
	}
}
