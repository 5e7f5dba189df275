package kustomize

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/kubevet/kubevet/internal/treefile"
)

// realPaths resolves symbolic links. It caches directories, since a run over a
// few thousand files would otherwise look up every directory above each of them.
// The entries of a directory are looked up each time. The zero value is ready to
// use. It is safe for concurrent use.
type realPaths struct {
	dirs sync.Map // path to physical path, both string
	// overlay replaces the texts of files.
	overlay treefile.Overlay
}

// real returns what filepath.EvalSymlinks returns.
func (r *realPaths) real(path string) (string, error) {
	above := filepath.Dir(path)
	if !filepath.IsAbs(path) || filepath.Clean(path) != path || above == path {
		return filepath.EvalSymlinks(path)
	}
	dir, err := r.dir(above)
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

// dir returns the physical path of a directory.
func (r *realPaths) dir(path string) (string, error) {
	if dir, ok := r.dirs.Load(path); ok {
		return dir.(string), nil
	}
	dir, err := r.real(path)
	if err == nil {
		r.dirs.Store(path, dir)
	}
	return dir, err
}

// physical returns the path with links resolved above its last element, or the
// path itself if that is not possible.
func (r *realPaths) physical(name string) string {
	full, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if dir, err := r.dir(filepath.Dir(full)); err == nil {
		return filepath.Join(dir, filepath.Base(full))
	}
	return full
}
