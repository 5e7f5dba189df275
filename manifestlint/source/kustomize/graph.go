package kustomize

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/kubevet/kubevet/manifestlint/source"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
)

var errNoSources = errors.New("no sources")

// graph is which kustomization builds with which.
type graph struct {
	o *Options
	// inputs are the run's by their physical path.
	inputs map[string]*source.Input
	// list are the kustomizations among the inputs, in their order.
	list []*kustomization

	mu    sync.Mutex
	byDir map[string]*kustomization
	links *realPaths
}

// kustomization is one kustomization: among the inputs, or what one of them
// builds with.
type kustomization struct {
	// dir and path are the physical paths of the directory and the file, name
	// what the user would type for the file.
	dir, path, name string
	text            []byte
	// err is why it cannot be built with; the fields below are empty then.
	err *failure
	types.Kustomization
	places *fields
	// boundary is the directory that it must not lead out of; empty: none.
	boundary string
	links    *realPaths

	users  []*kustomization
	listed bool
	// built is what came of building it by itself; nil until then.
	built *outcome
}

// dirName is what the user would type for the directory.
func (k *kustomization) dirName() string { return path.Dir(k.name) }

// newGraph reads the kustomizations among the inputs and those that they build
// with.
func newGraph(inputs []source.Input, o *Options) *graph {
	g := &graph{o: o, inputs: map[string]*source.Input{}, byDir: map[string]*kustomization{}, links: &realPaths{}}
	for i := range inputs {
		in := &inputs[i]
		if in.Path == "" || in.Stream() {
			continue
		}
		full := g.links.physical(in.Path)
		g.inputs[full] = in
		if !in.Kustomization {
			continue
		}
		k := g.load(filepath.Dir(full))
		if k == nil || k.listed {
			continue
		}
		k.listed = true
		g.list = append(g.list, k)
	}
	for _, k := range g.list {
		for _, base := range g.direct(k) {
			if base != k && !slices.Contains(base.users, k) {
				base.users = append(base.users, k)
			}
		}
	}
	return g
}

// round gives the kustomizations to build next: those that no other builds
// with, then those whose users do not build, and at last what is left, which
// builds with itself.
func (g *graph) round() []*kustomization {
	var next, rest []*kustomization
	for _, k := range g.list {
		if k.built != nil || k.Kind == types.ComponentKind {
			continue
		}
		waits, served := false, false
		for _, user := range k.users {
			switch {
			case user.Kind == types.ComponentKind && user.built == nil:
				served = served || g.served(user, map[*kustomization]bool{})
				waits = waits || g.waits(user, map[*kustomization]bool{})
			case user.built == nil:
				served = served || g.served(user, map[*kustomization]bool{k: true})
				waits = true
			case !user.built.failed:
				served = true
			}
		}
		switch {
		case served:
		case !waits:
			next = append(next, k)
		default:
			rest = append(rest, k)
		}
	}
	if len(next) > 0 {
		return next
	}
	return rest
}

// served reports whether something that was built builds with k.
func (g *graph) served(k *kustomization, seen map[*kustomization]bool) bool {
	if k.built != nil || seen[k] {
		return k.built != nil && !k.built.failed
	}
	seen[k] = true
	return slices.ContainsFunc(k.users, func(user *kustomization) bool { return g.served(user, seen) })
}

// waits reports whether something that may yet be built builds with a
// component.
func (g *graph) waits(k *kustomization, seen map[*kustomization]bool) bool {
	if seen[k] {
		return false
	}
	seen[k] = true
	return slices.ContainsFunc(k.users, func(user *kustomization) bool {
		if user.Kind == types.ComponentKind {
			return g.waits(user, seen)
		}
		return user.built == nil
	})
}

// direct are the kustomizations that k names.
func (g *graph) direct(k *kustomization) []*kustomization {
	var all []*kustomization
	for _, list := range [...][]string{k.Resources, k.Bases, k.Components, k.Generators, k.Transformers, k.Validators} {
		for _, entry := range list {
			if dir, ok := k.directory(entry); ok {
				if base := g.load(dir); base != nil {
					all = append(all, base)
				}
			}
		}
	}
	return all
}

// reach are the kustomizations that k builds with, itself first.
func (g *graph) reach(k *kustomization) []*kustomization {
	all := []*kustomization{k}
	for i := 0; i < len(all) && len(all) < maxKustomizations; i++ {
		for _, base := range g.direct(all[i]) {
			if !slices.Contains(all, base) {
				all = append(all, base)
			}
		}
	}
	return all
}

// visits counts how often kustomize visits kustomizations to build k: one that
// several build with, once for each of them, so that a few can come to
// millions.
func (g *graph) visits(k *kustomization, known map[*kustomization]int) int {
	if n, ok := known[k]; ok {
		return n
	}
	known[k] = 1 // a cycle is refused when it is built
	n := 1
	for _, base := range g.direct(k) {
		if n += g.visits(base, known); n > maxKustomizations {
			break
		}
	}
	known[k] = n
	return n
}

// maxKustomizations bounds what one kustomization builds with.
const maxKustomizations = 2000

// directory gives the physical path of a local directory that an entry names.
func (k *kustomization) directory(entry string) (string, bool) {
	if entry == "" || remote(entry) || filepath.IsAbs(entry) || len(entry) > maxPath {
		return "", false
	}
	dir, err := k.links.real(filepath.Join(k.dir, filepath.FromSlash(entry)))
	if err != nil || !isDir(dir) || !within(dir, k.boundary) {
		return "", false
	}
	return dir, true
}

// maxPath is longer than any path: what is longer is an inline document.
const maxPath = 4096

// load reads the kustomization of a directory; nil if there is none.
func (g *graph) load(dir string) *kustomization {
	g.mu.Lock()
	defer g.mu.Unlock()
	if k, ok := g.byDir[dir]; ok {
		return k
	}
	k := g.read(dir)
	g.byDir[dir] = k
	return k
}

func (g *graph) read(dir string) *kustomization {
	k := &kustomization{dir: dir, boundary: g.boundary(dir), links: g.links}
	found := 0
	for _, base := range konfig.RecognizedKustomizationFileNames() {
		full := filepath.Join(dir, base)
		text, err := g.links.readRegular(full, k.boundary, maxKustomization)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if found++; found > 1 {
			k.err = k.fails(span{}, fmt.Sprintf("there is a %s as well: kustomize wants one kustomization in a directory", base))
			return k
		}
		k.path, k.name, k.text = full, g.name(full), text
		if err != nil {
			k.err = k.fails(span{}, "the kustomization cannot be read: "+cause(err))
		}
	}
	if found == 0 {
		return nil
	}
	if k.err == nil {
		k.parse()
	}
	return k
}

// maxKustomization bounds a kustomization.
const maxKustomization = 4 << 20

// name is what the user would type for a file.
func (g *graph) name(full string) string {
	if in := g.inputs[full]; in != nil {
		return in.Name
	}
	return g.o.Name(full)
}

// boundary is the directory that a kustomization in dir must not lead out of.
func (g *graph) boundary(dir string) string {
	switch {
	case g.o.Anywhere:
		return ""
	case g.o.Boundary != "":
		return g.o.Boundary
	}
	for at := dir; ; at = filepath.Dir(at) {
		if exists(filepath.Join(at, ".git")) {
			return at
		}
		if filepath.Dir(at) == at {
			return ""
		}
	}
}
