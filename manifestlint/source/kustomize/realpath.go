package kustomize

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/kubevet/kubevet/internal/treefile"
)

// realPaths resolves symbolic links. It caches the links in directories, so
// that a run over thousands of files need not read all parent directories for
// each file. The last element of a path is not cached. The zero value is ready
// to use. It is safe for concurrent use.
type realPaths struct {
	dirs    sync.Map // path to physical path, both string
	overlay treefile.Overlay
}

// resolve returns the same result as filepath.EvalSymlinks.
func (r *realPaths) resolve(path string) (string, error) {
	parent := filepath.Dir(path)
	if !filepath.IsAbs(path) || filepath.Clean(path) != path || parent == path {
		return filepath.EvalSymlinks(path)
	}
	dir, err := r.resolveDir(parent)
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

func (r *realPaths) resolveDir(path string) (string, error) {
	if dir, ok := r.dirs.Load(path); ok {
		return dir.(string), nil
	}
	dir, err := r.resolve(path)
	if err == nil {
		r.dirs.Store(path, dir)
	}
	return dir, err
}

// physical resolves the links in the directories of a path, but not in its last
// element. If that fails, it returns the path unchanged.
func (r *realPaths) physical(name string) string {
	full, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if dir, err := r.resolveDir(filepath.Dir(full)); err == nil {
		return filepath.Join(dir, filepath.Base(full))
	}
	return full
}
