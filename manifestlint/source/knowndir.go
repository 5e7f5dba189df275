package source

import (
	"os"
	"path/filepath"
	"strings"
)

// knownDir is one physical directory and what was learned about it. There is
// exactly one for each directory, so a pointer to it and a base name identify a
// file.
type knownDir struct {
	// real is the absolute path without symbolic links.
	real string
	// searched holds the number of the last walk that listed the directory for
	// all manifests, and of the last one that listed it for a glob.
	searched [2]int
	// kustomized is set once its kustomizations were read.
	kustomized bool
	// repository reports whether .git is in the directory; nil if not checked yet.
	repository *bool
	// ignore is its .gitignore file; nil if it has none. ignoreKnown is set once
	// the file was looked for.
	ignore      *ignoreList
	ignoreKnown bool
	// chart is the chart in whose templates directory this directory is; empty
	// if there is none. chartKnown is set once it was looked for.
	chart      string
	chartKnown bool
}

// dir returns the knownDir of a path that is absolute and has no symbolic links.
func (e *expander) dir(real string) *knownDir {
	d := e.dirs[real]
	if d == nil {
		d = &knownDir{real: real}
		e.dirs[real] = d
	}
	return d
}

// resolve returns the directory that a path of the user or of a kustomization
// leads to. Results are cached: a run over changed files names the same few
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
		// The working directory itself may be reached through a link.
		if real, err = filepath.EvalSymlinks(real); err != nil {
			return nil, err
		}
	}
	d := e.dir(real)
	e.resolved[path] = d
	return d, nil
}

// parent returns the directory above, or nil at the root of the file system.
func (e *expander) parent(d *knownDir) *knownDir {
	up := filepath.Dir(d.real)
	if up == d.real {
		return nil
	}
	return e.dir(up)
}

// isRepository reports whether the directory is the root of a git repository,
// or of a worktree or submodule, where .git is a file.
func (d *knownDir) isRepository() bool {
	if d.repository == nil {
		_, err := os.Lstat(filepath.Join(d.real, ".git"))
		exists := err == nil
		d.repository = &exists
	}
	return *d.repository
}

// repository returns the root of the repository that contains d, or nil.
func (e *expander) repository(d *knownDir) *knownDir {
	for ; d != nil; d = e.parent(d) {
		if d.isRepository() {
			return d
		}
	}
	return nil
}

// name returns what the user would type for a physical path: relative to the
// working directory, or absolute if the argument that led there was absolute.
func (e *expander) name(real string, absolute bool) string {
	if !absolute {
		if relative, err := filepath.Rel(e.work.real, real); err == nil {
			return filepath.ToSlash(relative)
		}
	}
	return filepath.ToSlash(real)
}

// inside reports whether a physical path is dir or below it.
func inside(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}
