package source

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

const (
	// maxKustomization bounds a kustomization. Generated ones that list
	// thousands of files have some hundred KB. Its nodes take 80 times as much.
	maxKustomization = 1 << 20
	// maxParents is how far above a file its kustomization is looked for when
	// no root of a repository ends the search. kustomize lets a kustomization
	// name files in its own directory and below only.
	maxParents = 8
	// maxLinkLookups bounds how many paths in kustomizations that lead to no
	// input are tried again through links: each costs a system call for every
	// component, and most are data that is no input at all.
	maxLinkLookups = 10000
)

// isKustomization reports whether kustomize looks for a file of this name.
func isKustomization(base string) bool {
	switch base {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
		return true
	}
	return false
}

// kustomizations are all that were met, in that order.
type kustomizations struct {
	byFile map[file]*kustomization
	all    []*kustomization
	// buf is for reading the next one.
	buf []byte
	// lookups counts up to maxLinkLookups.
	lookups int
}

// kustomization is one of them. Most only list resources; what these are does
// not matter until one of them is a patch elsewhere, so they are parsed then.
type kustomization struct {
	file file
	// name is what the user would type.
	name string
	// text is what is kept of it for whoever reads it as an input; nil if
	// nothing is. raw is what is still to be parsed.
	text, raw []byte
	err       error
	// uses is what raw says, once parsed is set.
	uses   uses
	parsed bool
}

// walkKustomization reads a kustomization that a walk meets.
func (w *walk) walkKustomization(d *directory, base string, mode fs.FileMode) {
	f := file{d.place, base}
	if !mode.IsRegular() {
		// kustomize follows links, and reads nothing but paths from it.
		w.addKustomization(f, d.name+base, func(buf []byte) ([]byte, error) {
			return readPath(filepath.Join(f.in.real, base), buf, maxKustomization)
		})
		return
	}
	if w.kust.byFile[f] != nil {
		return
	}
	if w.shelf.left > 0 {
		if text := d.folder.keep(base, &w.shelf); text != nil && len(text) <= maxKustomization {
			k := &kustomization{file: f, name: d.name + base, text: text, raw: text}
			w.kust.add(k)
			return
		}
	}
	w.addKustomization(f, d.name+base, func(buf []byte) ([]byte, error) {
		return d.folder.read(base, buf, maxKustomization)
	})
}

// addKustomization reads a kustomization, unless it is known already. That
// there is no such file is no problem, nor is one that does not parse: both
// are for others to report.
func (e *expander) addKustomization(f file, name string, read func(buf []byte) ([]byte, error)) {
	if e.kust.byFile[f] != nil {
		return
	}
	k := &kustomization{file: f, name: name}
	e.kust.buf, k.err = read(e.kust.buf)
	if errors.Is(k.err, fs.ErrNotExist) || errors.Is(k.err, errNotRegular) {
		return
	}
	k.raw = e.kust.buf
	e.kust.add(k)
	k.raw = bytes.Clone(k.raw) // the next one takes the memory
}

// add adds a kustomization, and parses it if need be.
func (all *kustomizations) add(k *kustomization) {
	if mayUse(k.raw) {
		k.parsed, k.uses, k.raw = true, parseUses(k.raw), nil
	}
	all.byFile[k.file] = k
	all.all = append(all.all, k)
}

// text returns what is kept of a kustomization.
func (all *kustomizations) text(f file) []byte {
	if k := all.byFile[f]; k != nil {
		return k.text
	}
	return nil
}

// resources returns what the kustomization lists, if any of the base names is
// in it.
func (k *kustomization) resources(bases map[string]bool) []string {
	if !k.parsed && mentions(k.raw, bases) {
		k.parsed, k.uses, k.raw = true, parseUses(k.raw), nil
	}
	return k.uses.resources
}

// otherKind reports whether a file with the name of a kustomization says that
// it is something else.
func (e *expander) otherKind(f file) bool {
	k := e.kust.byFile[f]
	return k != nil && k.uses.otherKind
}

// kustomizationsIn reads those of a directory.
func (e *expander) kustomizationsIn(p *place, absolute bool) {
	if p.kustomized {
		return
	}
	p.kustomized = true
	for _, base := range [...]string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		path := filepath.Join(p.real, base)
		e.addKustomization(file{p, base}, e.name(path, absolute), func(buf []byte) ([]byte, error) {
			return readPath(path, buf, maxKustomization)
		})
	}
}

// kustomizationsAbove reads those of the directories above, up to the root of
// the repository.
func (e *expander) kustomizationsAbove(p *place, absolute bool) {
	for range maxParents {
		if p.isRepository() {
			return
		}
		if p = e.parent(p); p == nil {
			return
		}
		e.kustomizationsIn(p, absolute)
	}
}

// markPartials sets Input.Partial. It comes last: a kustomization may be found
// after the files that it names.
func (e *expander) markPartials() {
	marked := map[int]bool{}
	for _, k := range e.kust.all {
		if _, known := k.file.in.input(k.file.base); k.err != nil && !known {
			// As an input it will be reported by whoever reads it.
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
	if len(marked) > 0 {
		e.unmarkResources(marked)
	}
}

// input finds the input that a kustomization means by a path. The path may go
// through links; the places of inputs do not.
func (e *expander) input(k *kustomization, relative string) (index int, ok bool) {
	e.indexPlaces()
	find := func(path string) (int, bool) {
		if at := e.places[filepath.Dir(path)]; at != nil {
			return at.input(filepath.Base(path))
		}
		return 0, false
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

// unmarkResources makes those of the marked files whole again that some
// kustomization lists as a resource, too: there the object is complete.
//
// It goes by base names first: of a large tree's resources next to none are
// also patches, and each look-up that fails costs system calls.
func (e *expander) unmarkResources(marked map[int]bool) {
	bases := make(map[string]bool, len(marked))
	for i := range marked {
		bases[filepath.Base(e.inputs[i].Path)] = true
	}
	for _, k := range e.kust.all {
		for _, resource := range k.resources(bases) {
			if !bases[path.Base(resource)] {
				continue
			}
			if i, ok := e.input(k, resource); ok && marked[i] {
				e.inputs[i].Partial = Partial{}
			}
		}
	}
}

// mentions reports whether a text has one of the base names between
// delimiters. A name that holds a delimiter cannot be told, so it may.
func mentions(raw []byte, bases map[string]bool) bool {
	const delimiters = " \t\r\n\"'/,[]{}:#&*\\"
	for base := range bases {
		if strings.ContainsAny(base, delimiters) {
			return true
		}
	}
	for len(raw) > 0 {
		end := bytes.IndexAny(raw, delimiters)
		if end < 0 {
			end = len(raw)
		}
		if bases[string(raw[:end])] {
			return true
		}
		raw = raw[min(end+1, len(raw)):]
	}
	return false
}
