package kustomize

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/manifestlint/source"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
)

var errNoSources = errors.New("no sources")

// graph has the kustomizations of a run, and which kustomizations they include.
type graph struct {
	o *Options
	// inputs are the inputs of the run, by physical path.
	inputs map[string]*source.Input
	// list are the kustomizations among the inputs, in the order of the inputs.
	list []*kustomization

	mu    sync.Mutex
	byDir map[string]*kustomization
	links *realPaths
	// userDirs are the directories that the user named.
	userDirs []string
}

// kustomization is one of the inputs, or a kustomization that an input
// includes.
type kustomization struct {
	// dir and path are the physical paths of the directory and of the file. name
	// is the path of the file as the user would type it.
	dir, path, name string
	text            []byte
	// err is the reason why the kustomization cannot be built; nil for none. If
	// err is set, the fields below are empty.
	err *failure
	types.Kustomization
	places *fields
	// boundary is the directory that contains all files that the kustomization
	// may read; "" for no restriction or no git repository.
	boundary string
	// userDirs are directories that the user named. Without a git repository,
	// links may lead into these directories.
	userDirs []string
	anywhere bool
	links    *realPaths

	users  []*kustomization
	listed bool
	// result is the result of building this kustomization as an overlay; nil if
	// it was not built.
	result *outcome
}

// dirName returns the path of the directory as the user would type it.
func (k *kustomization) dirName() string { return path.Dir(k.name) }

// newGraph reads the kustomizations among the inputs and all that they include.
func newGraph(inputs []source.Input, o *Options) *graph {
	g := &graph{o: o, inputs: map[string]*source.Input{}, byDir: map[string]*kustomization{}, links: &realPaths{overlay: o.Overlay}}
	for i := range inputs {
		in := &inputs[i]
		if dir := in.Tree(); dir != "" && !slices.Contains(g.userDirs, dir) {
			g.userDirs = append(g.userDirs, dir)
		}
	}
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
		for _, base := range g.includes(k) {
			if base != k && !slices.Contains(base.users, k) {
				base.users = append(base.users, k)
			}
		}
	}
	return g
}

// nextRound returns the kustomizations to build next. The first round has those
// that no other kustomization includes. Then come bases that only failed builds
// include. The last round has the kustomizations that include each other.
func (g *graph) nextRound() []*kustomization {
	var next, rest []*kustomization
	for _, k := range g.list {
		if k.result != nil || k.Kind == types.ComponentKind {
			continue
		}
		unfinished, built := false, false
		for _, user := range k.users {
			switch {
			case user.Kind == types.ComponentKind && user.result == nil:
				built = built || g.includedByBuild(user, map[*kustomization]bool{})
				unfinished = unfinished || g.awaited(user, map[*kustomization]bool{})
			case user.result == nil:
				built = built || g.includedByBuild(user, map[*kustomization]bool{k: true})
				unfinished = true
			case !user.result.failed:
				built = true
			}
		}
		switch {
		case built:
		case !unfinished:
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

// includedByBuild reports whether a successful build has included k, directly
// or through other kustomizations.
func (g *graph) includedByBuild(k *kustomization, seen map[*kustomization]bool) bool {
	if k.result != nil || seen[k] {
		return k.result != nil && !k.result.failed
	}
	seen[k] = true
	return slices.ContainsFunc(k.users, func(user *kustomization) bool { return g.includedByBuild(user, seen) })
}

// awaited reports whether a kustomization that is not yet built includes the
// component k, directly or through other components.
func (g *graph) awaited(k *kustomization, seen map[*kustomization]bool) bool {
	if seen[k] {
		return false
	}
	seen[k] = true
	return slices.ContainsFunc(k.users, func(user *kustomization) bool {
		if user.Kind == types.ComponentKind {
			return g.awaited(user, seen)
		}
		return user.result == nil
	})
}

// includes returns the kustomizations that k includes directly.
func (g *graph) includes(k *kustomization) []*kustomization {
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

// allIncluded returns k and all kustomizations that it includes, directly or
// indirectly.
func (g *graph) allIncluded(k *kustomization) []*kustomization {
	all := []*kustomization{k}
	for i := 0; i < len(all) && len(all) < maxKustomizations; i++ {
		for _, base := range g.includes(all[i]) {
			if !slices.Contains(all, base) {
				all = append(all, base)
			}
		}
	}
	return all
}

// countVisits returns how often kustomize visits kustomizations when it builds
// k. It visits a base once for each kustomization that includes the base, so a
// few files can cause millions of visits.
func (g *graph) countVisits(k *kustomization, counted map[*kustomization]int) int {
	if n, ok := counted[k]; ok {
		return n
	}
	counted[k] = 1 // kustomize refuses cycles
	n := 1
	for _, base := range g.includes(k) {
		if n += g.countVisits(base, counted); n > maxKustomizations {
			break
		}
	}
	counted[k] = n
	return n
}

// maxKustomizations is the largest number of visits in one build.
const maxKustomizations = 2000

// directory returns the physical path of the local directory that an entry
// names. It returns false for any other entry.
func (k *kustomization) directory(entry string) (string, bool) {
	if entry == "" || isRemote(entry) || filepath.IsAbs(entry) || len(entry) > maxPath {
		return "", false
	}
	full := filepath.Join(k.dir, filepath.FromSlash(entry))
	dir, err := k.links.resolve(full)
	if err != nil || !isDir(dir) || !k.mayRead(full, dir) {
		return "", false
	}
	return dir, true
}

// mayRead reports whether a kustomization may read a file or directory. full is
// its path, and real the path with links resolved. Without a git repository,
// kustomize's own rule applies: a path with .. may lead anywhere, but a link
// must stay in the directories that the user named.
func (k *kustomization) mayRead(full, real string) bool {
	if k.anywhere {
		return true
	}
	if k.boundary != "" {
		return within(real, k.boundary) && !inGit(real, k.boundary)
	}
	return strings.EqualFold(full, real) || within(real, k.dir) ||
		slices.ContainsFunc(k.userDirs, func(dir string) bool { return within(real, dir) })
}

// maxPath is longer than any real path, in bytes. A longer entry is an inline
// document.
const maxPath = 4096

// load returns the kustomization in a directory; nil for none.
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
	k := &kustomization{dir: dir, boundary: g.boundary(dir), userDirs: g.userDirs, anywhere: g.o.Anywhere, links: g.links}
	boundary := dir // kustomize has this restriction too
	if k.anywhere {
		boundary = ""
	}
	found := 0
	for _, base := range konfig.RecognizedKustomizationFileNames() {
		full := filepath.Join(dir, base)
		text, err := g.links.readRegular(full, boundary, maxKustomization)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if found++; found > 1 {
			k.err = k.mistake(span{}, fmt.Sprintf("there is a %s as well: kustomize wants one kustomization in a directory", base))
			return k
		}
		k.path, k.name, k.text = full, g.name(full), text
		switch {
		case errors.Is(err, errOutside):
			// A report prints the lines of a finding, and must not print lines
			// of a file outside of the directory.
			k.name = path.Dir(k.name)
			k.err = k.mistake(span{}, base+" is a link out of its directory, which only --load-restrictor=none allows")
		case err != nil:
			k.err = k.mistake(span{}, "the kustomization cannot be read: "+withoutPath(err))
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

const maxKustomization = 4 << 20

// name returns the path of a file as the user would type it.
func (g *graph) name(full string) string {
	if in := g.inputs[full]; in != nil {
		return in.Name
	}
	return g.o.Name(full)
}

// boundary returns the directory that contains all files that a kustomization
// in dir may read; "" for no restriction or no git repository.
func (g *graph) boundary(dir string) string {
	switch {
	case g.o.Anywhere:
		return ""
	case g.o.Boundary != "":
		return g.o.Boundary
	}
	return treefile.Repository(dir)
}
