package kustomize

import (
	"os"
	"path/filepath"
	"sync"
)

// links knows which directories paths lead to, once each was asked for: a run
// over a few thousand files looks at every directory above each of them
// otherwise. What is in a directory is asked anew each time. The zero value
// knows nothing. It is safe for concurrent use.
type links struct {
	mu   sync.RWMutex
	dirs map[string]string
}

// real is filepath.EvalSymlinks.
func (l *links) real(path string) (string, error) {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return filepath.EvalSymlinks(path)
	}
	above := filepath.Dir(path)
	if above == path {
		return filepath.EvalSymlinks(path)
	}
	dir, err := l.dir(above)
	if err != nil {
		return filepath.EvalSymlinks(path)
	}
	full := filepath.Join(dir, filepath.Base(path))
	info, err := os.Lstat(full)
	if err != nil || info.Mode()&os.ModeSymlink != 0 {
		return filepath.EvalSymlinks(path)
	}
	return full, nil
}

// dir is filepath.EvalSymlinks of a path that has something below it.
func (l *links) dir(path string) (string, error) {
	l.mu.RLock()
	dir, ok := l.dirs[path]
	l.mu.RUnlock()
	if ok {
		return dir, nil
	}
	dir, err := l.real(path)
	if err != nil {
		return "", err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dirs == nil {
		l.dirs = map[string]string{}
	}
	if len(l.dirs) < maxDirs {
		l.dirs[path] = dir
	}
	return dir, nil
}

// maxDirs bounds the directories that are kept.
const maxDirs = 1 << 17

// physical is the path without links above its last element, as far as that
// can be told.
func (l *links) physical(name string) string {
	full, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if dir, err := l.dir(filepath.Dir(full)); err == nil {
		return filepath.Join(dir, filepath.Base(full))
	}
	return full
}
