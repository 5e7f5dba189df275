package source

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// place is one physical directory, and what was learned about it. There is one
// place for each directory, so a pointer to it and a base name identify a
// file.
type place struct {
	// real is the absolute path without symbolic links.
	real string
	// inputs are those of its files that are inputs, byBase the same once
	// there are many and they were looked up.
	inputs []placed
	byBase map[string]int
	// searched are the numbers of the last walks that listed the directory:
	// for all manifests, and for what matches a glob.
	searched [2]int
	// kustomized is set once kustomizations were looked for in it.
	kustomized bool
	// repository says whether there is a .git in it.
	repository answer
	// ignore is its .gitignore file, nil if it has none, once ignoreKnown is
	// set.
	ignore      *ignoreList
	ignoreKnown bool
	// chart is the chart whose templates directory this is or is in, once
	// chartKnown is set.
	chart      string
	chartKnown bool
}

// placed is a file in a place that is an input.
type placed struct {
	base  string
	index int // in expander.inputs
}

// input returns the index of the input that is the file of this name.
func (p *place) input(base string) (index int, ok bool) {
	const few = 16
	if len(p.inputs) <= few {
		for _, in := range p.inputs {
			if in.base == base {
				return in.index, true
			}
		}
		return 0, false
	}
	if p.byBase == nil {
		p.byBase = make(map[string]int, len(p.inputs))
		for _, in := range p.inputs {
			p.byBase[in.base] = in.index
		}
	}
	index, ok = p.byBase[base]
	return index, ok
}

func (p *place) addInput(base string, index int) {
	p.inputs = append(p.inputs, placed{base, index})
	if p.byBase != nil {
		p.byBase[base] = index
	}
}

// renumber changes the indices of the inputs.
func (p *place) renumber(to func(int) int) {
	for i := range p.inputs {
		p.inputs[i].index = to(p.inputs[i].index)
	}
	p.byBase = nil
}

// answer is what is known of a question.
type answer uint8

const (
	unasked answer = iota
	yes
	no
)

// place returns the place of a path that is absolute and has no symbolic
// links.
func (e *expander) place(real string) *place {
	e.indexPlaces()
	p := e.places[real]
	if p == nil {
		p = e.newPlace(real)
		e.places[real] = p
	}
	return p
}

// placeBelow is place for a directory that a walk meets on its way down. It
// meets each but once, so that its new places need no index until something
// else looks for one.
func (e *expander) placeBelow(real string) *place {
	if p := e.places[real]; p != nil {
		return p
	}
	p := e.newPlace(real)
	e.unindexed = append(e.unindexed, p)
	return p
}

// indexPlaces makes all places known to place.
func (e *expander) indexPlaces() {
	if len(e.unindexed) == 0 {
		return
	}
	if len(e.unindexed) > len(e.places) {
		larger := make(map[string]*place, len(e.places)+len(e.unindexed))
		maps.Copy(larger, e.places)
		e.places = larger
	}
	for _, p := range e.unindexed {
		e.places[p.real] = p
	}
	e.unindexed = nil
}

func (e *expander) newPlace(real string) *place {
	if len(e.spare) == 0 {
		e.spare = make([]place, 32)
	}
	p := &e.spare[0]
	e.spare = e.spare[1:]
	p.real = real
	return p
}

// roomForPlaced returns an empty list with room for so many inputs of a place.
func (e *expander) roomForPlaced(n int) []placed {
	if n > cap(e.sparePlaced) {
		e.sparePlaced = make([]placed, max(n, 128))
	}
	room := e.sparePlaced[:0:n]
	e.sparePlaced = e.sparePlaced[n:]
	return room
}

// resolve returns the place of a directory as the user or a kustomization
// names it. Answers are kept: a run over changed files names the same few
// directories a thousand times.
func (e *expander) resolve(dir string) (*place, error) {
	if p, ok := e.resolved[dir]; ok {
		return p, nil
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	if real, err = filepath.Abs(real); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(dir) {
		// The working directory may be reached through a link itself.
		if real, err = filepath.EvalSymlinks(real); err != nil {
			return nil, err
		}
	}
	p := e.place(real)
	e.resolved[dir] = p
	return p, nil
}

// parent returns the directory above, or nil at the root of the file system.
func (e *expander) parent(p *place) *place {
	up := filepath.Dir(p.real)
	if up == p.real {
		return nil
	}
	return e.place(up)
}

// isRepository reports whether the directory is the root of a git repository
// (or of a worktree or submodule, where .git is a file).
func (p *place) isRepository() bool {
	if p.repository == unasked {
		p.repository = no
		if _, err := os.Lstat(filepath.Join(p.real, ".git")); err == nil {
			p.repository = yes
		}
	}
	return p.repository == yes
}

// repository returns the root of the repository that p is in, or nil.
func (e *expander) repository(p *place) *place {
	for ; p != nil; p = e.parent(p) {
		if p.isRepository() {
			return p
		}
	}
	return nil
}

// name returns what the user would type to mean a physical path: relative to
// the working directory, or absolute if the argument that led there was.
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
