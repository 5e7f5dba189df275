package kustomize

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/kubevet/kubevet/internal/treefile"
)

// realPaths resolves symbolic links. It caches the links in directories,
// because a run over thousands of files would otherwise read all parent
// directories for each file. Links in the last element of a path are not
// cached. The zero value is ready to use. It is safe for concurrent use.
type realPaths struct {
	dirs sync.Map // path to physical path, both string
	// overlay replaces the texts of files.
	overlay treefile.Overlay
}

// real returns the same result as filepath.EvalSymlinks.
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

// dir returns the path of a directory with all links resolved.
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

// physical returns the path with the links in its directories resolved. A link
// in the last element stays. If resolving fails, it returns the path unchanged.
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
