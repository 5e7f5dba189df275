package source

import (
	"os"
	"path/filepath"
	"strings"
)

// knownDir is a physical directory. Each directory has exactly one knownDir, so
// its pointer and a base name identify a file.
type knownDir struct {
	// path is the absolute path without symbolic links.
	path string
	// searched has numbers of walks: searched[0] is the last walk that listed
	// the directory for all manifests, and searched[1] the last one that listed
	// it for a glob.
	searched [2]int
	// kustomized is set after its kustomizations were read.
	kustomized bool
	// repository is true if the directory contains .git; nil if unknown.
	repository *bool
	// ignore is the directory's .gitignore file; nil for none. It is unknown
	// until ignoreKnown is set.
	ignore      *ignoreList
	ignoreKnown bool
	// chart is the chart that has the directory as a template directory; "" for
	// none. It is unknown until chartKnown is set.
	chart      string
	chartKnown bool
}

// dir returns the knownDir of an absolute path without symbolic links.
func (e *expander) dir(real string) *knownDir {
	d := e.dirs[real]
	if d == nil {
		d = &knownDir{path: real}
		e.dirs[real] = d
	}
	return d
}

// resolve returns the directory for a path that may contain links. It caches
// the result, because a run over changed files resolves the same few
// directories a thousand times.
func (e *expander) resolve(path string) (*knownDir, error) {
	if d, ok := e.resolved[path]; ok {
		return d, nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if real, err = filepath.Abs(real); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(path) {
		// The path of the working directory may contain links.
		if real, err = filepath.EvalSymlinks(real); err != nil {
			return nil, err
		}
	}
	d := e.dir(real)
	e.resolved[path] = d
	return d, nil
}

// parent returns the parent directory; nil for the root of the file system.
func (e *expander) parent(d *knownDir) *knownDir {
	parent := filepath.Dir(d.path)
	if parent == d.path {
		return nil
	}
	return e.dir(parent)
}

// isRepository reports whether the directory is the root of a git repository.
// In a worktree or submodule, .git is a file.
func (d *knownDir) isRepository() bool {
	if d.repository == nil {
		_, err := os.Lstat(filepath.Join(d.path, ".git"))
		exists := err == nil
		d.repository = &exists
	}
	return *d.repository
}

// repository returns the root of the repository that contains d; nil for none.
func (e *expander) repository(d *knownDir) *knownDir {
	for ; d != nil; d = e.parent(d) {
		if d.isRepository() {
			return d
		}
	}
	return nil
}

// name returns a physical path as the user would type it: absolute, or relative
// to the working directory.
func (e *expander) name(real string, absolute bool) string {
	if !absolute {
		if relative, err := filepath.Rel(e.workDir.path, real); err == nil {
			return filepath.ToSlash(relative)
		}
	}
	return filepath.ToSlash(real)
}

// inside reports whether a physical path is dir or below dir.
func inside(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}
