package kustomize

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/treefile"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Limits of one build. The largest public kustomizations read a few hundred
// files, a few megabytes in total.
const (
	maxReads = 20000
	maxBytes = 64 << 20
	maxFile  = 16 << 20
	// maxNodes is the largest number of YAML nodes of a document with all aliases
	// expanded.
	maxNodes = 2 << 20
)

var (
	errReadOnly = errors.New("kustomize may not write")
	errOutside  = errors.New("lies outside of the repository")
	errBounds   = fmt.Errorf("more than %d files or %d MB are read: the kustomization is too large", maxReads, maxBytes>>20)
)

// disk is the file system that kustomize reads during one build. It is
// read-only, has no files outside of a boundary, and replaces the texts of some
// files.
type disk struct {
	ctx      context.Context
	boundary string
	// replaced are the texts that replace files, by physical path. needsNumbers
	// reports whether the lines of a file must be numbered: see numbering.
	replaced     map[string][]byte
	lines        *numbering
	needsNumbers func(path string) bool
	reads        int
	bytes        int
	read         map[string]bool // files that were read
	links        *realPaths
	refused      error // the first error for a limit or the boundary
}

var _ filesys.FileSystem = (*disk)(nil)

func (d *disk) Create(string) (filesys.File, error) { return nil, errReadOnly }
func (d *disk) Mkdir(string) error                  { return errReadOnly }
func (d *disk) MkdirAll(string) error               { return errReadOnly }
func (d *disk) RemoveAll(string) error              { return errReadOnly }
func (d *disk) WriteFile(string, []byte) error      { return errReadOnly }
func (d *disk) Open(path string) (filesys.File, error) {
	return nil, &fs.PathError{Op: "open", Path: path, Err: errReadOnly}
}

func (d *disk) IsDir(path string) bool {
	real, err := d.links.resolve(path)
	return err == nil && isDir(real) && within(real, d.boundary)
}

func (d *disk) Exists(path string) bool {
	real, err := d.links.resolve(path)
	return d.replaced[d.links.physical(path)] != nil || err == nil && within(real, d.boundary)
}

func (d *disk) ReadDir(path string) ([]string, error) {
	return nil, &fs.PathError{Op: "readdir", Path: path, Err: errReadOnly}
}

func (d *disk) Glob(pattern string) ([]string, error) {
	return nil, &fs.PathError{Op: "glob", Path: pattern, Err: errReadOnly}
}

func (d *disk) Walk(path string, _ filepath.WalkFunc) error {
	return &fs.PathError{Op: "walk", Path: path, Err: errReadOnly}
}

// CleanedAbs resolves the links in a path. It returns the directory, and the
// base name if the path is a file.
func (d *disk) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", "", err
	}
	if at := d.links.physical(full); d.replaced[at] != nil {
		full = at
		return filesys.ConfirmedDir(filepath.Dir(full)), filepath.Base(full), nil
	}
	real, err := d.links.resolve(full)
	if err != nil {
		return "", "", err
	}
	if !within(real, d.boundary) {
		return "", "", d.refuse(path, errOutside)
	}
	if isDir(real) {
		return filesys.ConfirmedDir(real), "", nil
	}
	return filesys.ConfirmedDir(filepath.Dir(real)), filepath.Base(real), nil
}

func (d *disk) refuse(path string, err error) error {
	if d.refused == nil {
		d.refused = err
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

func (d *disk) ReadFile(path string) ([]byte, error) {
	if err := d.ctx.Err(); err != nil {
		return nil, err
	}
	full := d.links.physical(path)
	if text := d.replaced[full]; text != nil {
		return text, d.count(path, len(text))
	}
	real, err := d.links.resolve(full)
	if err != nil {
		return nil, err
	}
	text, err := d.links.readRegular(real, d.boundary, maxFile)
	switch {
	case errors.Is(err, errOutside), errors.Is(err, errTooLarge), errors.Is(err, treefile.ErrGit):
		return nil, d.refuse(path, err)
	case err != nil:
		return nil, err
	}
	if err := d.count(path, len(text)); err != nil {
		return nil, err
	}
	d.read[real] = true
	if !d.needsNumbers(real) {
		return text, nil
	}
	if err := checkAliases(text); err != nil {
		return nil, d.refuse(path, err)
	}
	return d.lines.file(real, text), nil
}

func (d *disk) count(path string, n int) error {
	d.reads++
	d.bytes += n
	if d.reads > maxReads || d.bytes > maxBytes {
		return d.refuse(path, errBounds)
	}
	return nil
}

var errTooLarge = fmt.Errorf("the file is larger than %d MB", maxFile>>20)

// readRegular reads a regular file within a boundary.
func (r *realPaths) readRegular(path, boundary string, limit int64) ([]byte, error) {
	real, err := r.resolve(path)
	if err != nil {
		return nil, err
	}
	var tooLarge *treefile.TooLargeError
	text, unsaved, err := r.overlay.Read(real, limit)
	switch {
	case !within(real, boundary):
		err = errOutside
	case boundary != "" && inGit(real, boundary):
		err = treefile.ErrGit
	case unsaved:
	case boundary == "":
		text, err = treefile.Read(real, nil, limit)
	default:
		text, err = treefile.ReadBelow(boundary, strings.TrimLeft(real[len(boundary):], string(filepath.Separator)), limit)
	}
	if errors.As(err, &tooLarge) {
		err = errTooLarge
	}
	if err == nil || errors.As(err, new(*fs.PathError)) {
		return text, err
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: err}
}

// inGit reports whether a physical path is in a .git directory below the
// boundary.
func inGit(path, boundary string) bool {
	rel, err := filepath.Rel(boundary, path)
	return err == nil && treefile.InGit(rel)
}

// within reports whether a physical path is the boundary or below it. An empty
// boundary contains all paths.
func within(path, boundary string) bool {
	if boundary == "" {
		return true
	}
	rest, ok := strings.CutPrefix(path, boundary)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(boundary[len(boundary)-1]))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

var errAliases = errors.New("the aliases of a document grow beyond all measure")

// checkAliases returns an error if the text has more than maxNodes nodes after
// all aliases are expanded.
func checkAliases(text []byte) error {
	if bytes.IndexByte(text, '&') < 0 || bytes.IndexByte(text, '*') < 0 {
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var doc yaml.Node
		if decoder.Decode(&doc) != nil {
			return nil // kustomize's parser reports the mistake
		}
		if expandedNodes(&doc, map[*yaml.Node]int{}) > maxNodes {
			return errAliases
		}
	}
}

// expandedNodes returns the number of nodes below a node after all aliases are
// expanded.
func expandedNodes(n *yaml.Node, counted map[*yaml.Node]int) int {
	if w, ok := counted[n]; ok {
		return w
	}
	counted[n] = maxNodes + 1 // for an alias that contains itself
	w := 1
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		w = expandedNodes(n.Alias, counted)
	}
	for _, child := range n.Content {
		if w += expandedNodes(child, counted); w > maxNodes {
			break
		}
	}
	counted[n] = w
	return w
}
