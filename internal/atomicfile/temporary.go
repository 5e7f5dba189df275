package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
)

// These are the parts of the name of a temporary file. The name begins with a dot, so
// that the file is not linted. It is short, so that it is valid in a directory with names
// of the maximal length.
const (
	temporaryPrefix = ".kubevet-"
	temporarySuffix = ".tmp"
	randomLength    = 10
)

var temporaryName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`^%s[A-Z2-7]{%d}%s$`, regexp.QuoteMeta(temporaryPrefix), randomLength, regexp.QuoteMeta(temporarySuffix)))
})

// newTemporary creates a temporary file in the directory of path, so that both are on one
// file system. The file is locked until it is closed.
func newTemporary(path string, mode fs.FileMode) (*os.File, error) {
	const attempts = 100
	for range attempts {
		name := filepath.Join(filepath.Dir(path), temporaryPrefix+rand.Text()[:randomLength]+temporarySuffix)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case errors.Is(err, fs.ErrPermission):
			return nil, errors.New("its directory is not writable")
		case err != nil:
			var at *fs.PathError
			if errors.As(err, &at) {
				at.Path = path // the error must have the path that the caller knows
			}
			return nil, err
		}
		if lock(f) == nil && isOpenFile(name, f) {
			return f, nil
		}
		// Another run removed the file before it was locked.
		f.Close()
	}
	return nil, fmt.Errorf("no temporary file could be created in %s", filepath.Dir(path))
}

// isOpenFile reports whether the file at path is the open file f.
func isOpenFile(path string, f *os.File) bool {
	named, err := os.Lstat(path)
	if err != nil {
		return false
	}
	open, err := f.Stat()
	return err == nil && os.SameFile(named, open)
}

// SweepBeside calls Sweep for the directory of each path that is one of the roots or
// below. roots are directories without symbolic links. Empty paths are skipped.
func SweepBeside(paths, roots []string) {
	swept := map[string]bool{"": true}
	for _, path := range paths {
		dir := ""
		if path != "" {
			dir = filepath.Dir(path)
		}
		if swept[dir] {
			continue
		}
		swept[dir] = true
		if real, err := filepath.EvalSymlinks(dir); err == nil && isInRoots(roots, real) {
			Sweep(real)
		}
	}
}

// isInRoots reports whether a path is one of the roots, or below one of them.
func isInRoots(roots []string, path string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		rel, err := filepath.Rel(root, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// Sweep removes the temporary files of killed runs from a directory. It keeps the locked
// files of running processes. Another program may use the same names, so Sweep removes
// only regular files with a single hard link, and never follows symbolic links.
func Sweep(dir string) {
	// An error is ignored here. The caller gets it again when it writes to the directory.
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if !temporaryName().MatchString(name) {
			continue
		}
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && hardLinks(path, info) == 1 {
			removeAbandoned(path)
		}
	}
}
