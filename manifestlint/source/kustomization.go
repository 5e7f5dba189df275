package source

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"github.com/kubevet/kubevet/internal/treefile"
)

const (
	// maxKustomization is the largest size of a kustomization, in bytes.
	// Generated kustomizations that list thousands of files have a few hundred
	// KB. The parsed nodes take 80 times the memory of the text.
	maxKustomization = 1 << 20
	// maxParents is the largest number of parent directories that are searched
	// for the kustomization of a file. The root of a repository ends the search
	// earlier. kustomize restricts a kustomization to files in its own
	// directory and below.
	maxParents = 8
	// maxLinkLookups is the largest number of paths in kustomizations that are
	// resolved because they match no input. Each one costs a system call for
	// each component of the path. Most of these paths are data files, which are
	// not inputs.
	maxLinkLookups = 10000
)

// isKustomization reports whether kustomize accepts this name for a
// kustomization.
func isKustomization(base string) bool {
	switch base {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
		return true
	}
	return false
}

// kustomizations has all kustomizations that were read, in the order of
// reading.
type kustomizations struct {
	byFile map[file]*kustomization
	all    []*kustomization
	// buf is a buffer that is reused to read files.
	buf []byte
	// lookups counts the resolved paths: see maxLinkLookups.
	lookups int
}

// kustomization is one kustomization.
type kustomization struct {
	file file
	// name is the path of the file as the user would type it.
	name string
	err  error
	uses uses
}

// addKustomization reads a kustomization, if it was not read before. Like
// kustomize it follows links that stay in the directory. It ignores a file that
// is missing, refused or does not parse, because other code reports such a
// file.
func (e *expander) addKustomization(f file, name string) {
	if e.kust.byFile[f] != nil {
		return
	}
	k := &kustomization{file: f, name: name}
	path := filepath.Join(f.in.real, f.base)
	text, unsaved, err := e.Overlay.Read(path, maxKustomization)
	if unsaved {
		k.err = err
	} else if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		e.kust.buf, k.err = treefile.Read(path, e.kust.buf, maxKustomization)
		text = e.kust.buf
	} else {
		e.kust.buf, k.err = treefile.File{Path: path, Tree: f.in.real}.Read(maxKustomization)
		text = e.kust.buf
	}
	for _, refused := range []error{fs.ErrNotExist, treefile.ErrNotRegular, treefile.ErrOutside, treefile.ErrDangling, treefile.ErrGit} {
		if errors.Is(k.err, refused) {
			return
		}
	}
	k.uses = parseUses(bytes.NewReader(text))
	e.kust.byFile[f] = k
	e.kust.all = append(e.kust.all, k)
}

// otherKind reports whether a file that is named like a kustomization declares
// another apiVersion.
func (e *expander) otherKind(f file) bool {
	k := e.kust.byFile[f]
	return k != nil && k.uses.otherKind
}

// kustomizationsIn reads the kustomizations in a directory, once.
func (e *expander) kustomizationsIn(d *knownDir, absolute bool) {
	if d.kustomized {
		return
	}
	d.kustomized = true
	for _, base := range [...]string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		e.addKustomization(file{d, base}, e.name(filepath.Join(d.real, base), absolute))
	}
}

// kustomizationsAbove reads the kustomizations in the parent directories, up to
// the root of the repository.
func (e *expander) kustomizationsAbove(d *knownDir, absolute bool) {
	for range maxParents {
		if d.isRepository() {
			return
		}
		if d = e.parent(d); d == nil {
			return
		}
		e.kustomizationsIn(d, absolute)
	}
}

// markPartials sets Input.Partial of all inputs. It must run last, because
// files can be found before the kustomizations that name them.
func (e *expander) markPartials() {
	marked := map[int]bool{}
	for _, k := range e.kust.all {
		if _, isInput := e.index[k.file]; k.err != nil && !isInput {
			// If the kustomization is an input, the reader of inputs reports
			// the error.
			e.unreadable(k.name, k.err)
		}
		for _, use := range k.uses.files {
			i, ok := e.input(k, use.path)
			if !ok {
				continue
			}
			partial := Partial{Kustomization: k.name, As: use.as}
			if has := e.inputs[i].Partial; has == (Partial{}) || partial.Patch() && !has.Patch() {
				e.inputs[i].Partial = partial
			}
			marked[i] = true
		}
	}
	e.markUnlisted(marked)
	if len(marked) > 0 {
		e.unmarkResources(marked)
	}
}

// patchName matches file names that contain the word patch, but not dispatcher.
var patchName = regexp.MustCompile(`(?i)(^|[^a-z])patch(es)?([^a-z]|$)`)

// markUnlisted marks files that have "patch" in their names and are beside or
// directly below a kustomization, although no kustomization lists them.
// kubebuilder writes the entries for these files as comments, and programs may
// add the entries later.
func (e *expander) markUnlisted(marked map[int]bool) {
	in := map[string]*kustomization{}
	for _, k := range e.kust.all {
		if k.err == nil && !k.uses.otherKind {
			in[k.file.in.real] = k
		}
	}
	if len(in) == 0 {
		return
	}
	for f, i := range e.index {
		input := &e.inputs[i]
		if input.Partial.As != "" || input.Kustomization || input.Template != "" {
			continue
		}
		switch filepath.Ext(f.base) {
		case ".yaml", ".yml", ".json":
		default:
			continue
		}
		k, name := in[f.in.real], f.base
		if k == nil {
			k, name = in[filepath.Dir(f.in.real)], filepath.Join(filepath.Base(f.in.real), f.base)
		}
		if k != nil && patchName.MatchString(name) {
			input.Partial = Partial{Kustomization: k.name, As: unlistedPatch}
			marked[i] = true
		}
	}
}

// input returns the index of the input that a path in a kustomization names.
// The path may contain links, but the paths of inputs do not.
func (e *expander) input(k *kustomization, relative string) (index int, ok bool) {
	find := func(path string) (int, bool) {
		i, ok := e.index[file{e.dirs[filepath.Dir(path)], filepath.Base(path)}]
		return i, ok
	}
	full := filepath.Join(k.file.in.real, filepath.FromSlash(relative))
	if index, ok = find(full); ok {
		return index, true
	}
	if e.kust.lookups++; e.kust.lookups > maxLinkLookups {
		return 0, false
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil || real == full {
		return 0, false
	}
	return find(real)
}

// unmarkResources clears Input.Partial of a marked file if a kustomization also
// lists it as a resource, because a resource is a complete object. Resources
// whose base name no marked file has are skipped, because resolving their paths
// would cost system calls.
func (e *expander) unmarkResources(marked map[int]bool) {
	bases := make(map[string]bool, len(marked))
	for i := range marked {
		bases[filepath.Base(e.inputs[i].Path)] = true
	}
	for _, k := range e.kust.all {
		for _, resource := range k.uses.resources {
			if !bases[path.Base(resource)] {
				continue
			}
			if i, ok := e.input(k, resource); ok && marked[i] {
				e.inputs[i].Partial = Partial{}
			}
		}
	}
}
