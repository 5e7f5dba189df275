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
	// for the kustomization of a file, up to the root of the repository. By
	// default, a kustomization may use only files in its own directory and below.
	maxParents = 8
	// maxLinkLookups is the largest number of paths in kustomizations that are
	// resolved because they match no input. Each one costs a system call for each
	// component of the path. Most of these paths are data files, which are not
	// inputs.
	maxLinkLookups = 10000
)

func isKustomization(base string) bool {
	switch base {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
		return true
	}
	return false
}

// kustomizations has all kustomizations in the order of reading.
type kustomizations struct {
	byFile map[file]*kustomization
	all    []*kustomization
	buffer []byte
	// lookups counts the resolved paths: see maxLinkLookups.
	lookups int
}

type kustomization struct {
	file file
	// name is the path of the file as the user would type it.
	name string
	err  error
	uses uses
}

// addKustomization reads a kustomization once. Like kustomize, it follows links
// that stay in the directory. It ignores a file that is missing, refused or
// invalid, because other code reports it.
func (e *expander) addKustomization(f file, name string) {
	if e.kustomizations.byFile[f] != nil {
		return
	}
	k := &kustomization{file: f, name: name}
	path := filepath.Join(f.dir.path, f.base)
	text, unsaved, err := e.Overlay.Read(path, maxKustomization)
	if unsaved {
		k.err = err
	} else if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		e.kustomizations.buffer, k.err = treefile.Read(path, e.kustomizations.buffer, maxKustomization)
		text = e.kustomizations.buffer
	} else {
		e.kustomizations.buffer, k.err = treefile.File{Path: path, Tree: f.dir.path}.Read(maxKustomization)
		text = e.kustomizations.buffer
	}
	for _, refused := range []error{fs.ErrNotExist, treefile.ErrNotRegular, treefile.ErrOutside, treefile.ErrDangling, treefile.ErrGit} {
		if errors.Is(k.err, refused) {
			return
		}
	}
	k.uses = parseUses(bytes.NewReader(text))
	e.kustomizations.byFile[f] = k
	e.kustomizations.all = append(e.kustomizations.all, k)
}

// otherKind reports whether a file that is named like a kustomization declares
// another apiVersion.
func (e *expander) otherKind(f file) bool {
	k := e.kustomizations.byFile[f]
	return k != nil && k.uses.otherKind
}

// kustomizationsIn reads the kustomizations in a directory once. absolute is as
// in chartOf.
func (e *expander) kustomizationsIn(d *knownDir, absolute bool) {
	if d.kustomized {
		return
	}
	d.kustomized = true
	for _, base := range [...]string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		e.addKustomization(file{d, base}, e.name(filepath.Join(d.path, base), absolute))
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

// markPartials sets Input.Partial of all inputs. It must run last, because a
// file can be found before the kustomization that names it.
func (e *expander) markPartials() {
	marked := map[int]bool{}
	for _, k := range e.kustomizations.all {
		if _, isInput := e.index[k.file]; k.err != nil && !isInput {
			// If the kustomization is an input, the reader of inputs reports the
			// error.
			e.unreadable(k.name, k.err)
		}
		for _, use := range k.uses.files {
			i, ok := e.findInput(k, use.path)
			if !ok {
				continue
			}
			partial := Partial{Kustomization: k.name, As: use.field}
			if has := e.inputs[i].Partial; has == (Partial{}) || partial.Patch() && !has.Patch() {
				e.inputs[i].Partial = partial
			}
			marked[i] = true
		}
	}
	e.markUnlistedPatches(marked)
	if len(marked) > 0 {
		e.unmarkResources(marked)
	}
}

// patchName matches file names that contain the word patch, but not dispatcher.
var patchName = regexp.MustCompile(`(?i)(^|[^a-z])patch(es)?([^a-z]|$)`)

// markUnlistedPatches marks files with "patch" in their names that are beside
// or directly below a kustomization, but not listed in it. kubebuilder writes
// the entries for these files as comments.
func (e *expander) markUnlistedPatches(marked map[int]bool) {
	in := map[string]*kustomization{}
	for _, k := range e.kustomizations.all {
		if k.err == nil && !k.uses.otherKind {
			in[k.file.dir.path] = k
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
		k, name := in[f.dir.path], f.base
		if k == nil {
			k, name = in[filepath.Dir(f.dir.path)], filepath.Join(filepath.Base(f.dir.path), f.base)
		}
		if k != nil && patchName.MatchString(name) {
			input.Partial = Partial{Kustomization: k.name, As: unlistedPatch}
			marked[i] = true
		}
	}
}

// findInput returns the index of the input that a path in a kustomization
// names. The path may contain links, but the paths of inputs do not.
func (e *expander) findInput(k *kustomization, relative string) (index int, ok bool) {
	find := func(path string) (int, bool) {
		i, ok := e.index[file{e.dirs[filepath.Dir(path)], filepath.Base(path)}]
		return i, ok
	}
	full := filepath.Join(k.file.dir.path, filepath.FromSlash(relative))
	if index, ok = find(full); ok {
		return index, true
	}
	if e.kustomizations.lookups++; e.kustomizations.lookups > maxLinkLookups {
		return 0, false
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil || real == full {
		return 0, false
	}
	return find(real)
}

// unmarkResources clears Input.Partial of files that a kustomization also lists
// as resources, because a resource is a complete object. To save system calls,
// it resolves only resources with the base name of a marked file.
func (e *expander) unmarkResources(marked map[int]bool) {
	bases := make(map[string]bool, len(marked))
	for i := range marked {
		bases[filepath.Base(e.inputs[i].Path)] = true
	}
	for _, k := range e.kustomizations.all {
		for _, resource := range k.uses.resources {
			if !bases[path.Base(resource)] {
				continue
			}
			if i, ok := e.findInput(k, resource); ok && marked[i] {
				e.inputs[i].Partial = Partial{}
			}
		}
	}
}
