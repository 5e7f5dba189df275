package fieldmanager

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// sitesFact is the fact about a package. It lists the sites of the package and of the
// packages that it imports, directly or indirectly, from its module.
type sitesFact struct {
	Module string
	Sites  []*site
	// Started are the IDs of the sites that run when these packages are initialized.
	Started []uint64
}

// AFact marks the type as a fact.
func (*sitesFact) AFact() {}

func (b *sitesFact) String() string {
	n := map[siteKind]int{}
	for _, s := range b.Sites {
		n[s.Kind]++
	}
	return fmt.Sprintf("%d writes, %d clients, %d names", n[aWrite], n[aClient], n[anAgent]+n[anOwner])
}

// reachesFact is the fact about a function, method or variable. Code that uses it may
// run the listed sites.
type reachesFact struct {
	Sites []uint64 // IDs, sorted
}

// AFact marks the type as a fact.
func (*reachesFact) AFact() {}

func (r *reachesFact) String() string { return fmt.Sprintf("reaches %d sites", len(r.Sites)) }

// inherited returns the sites and started sites in the facts about the imported
// packages of this module.
func inherited(pass *analysis.Pass) *sitesFact {
	all := &sitesFact{Module: moduleOf(pass)}
	seen := map[uint64]bool{}
	started := map[uint64]bool{}
	for _, p := range pass.Pkg.Imports() {
		var fact sitesFact
		if !pass.ImportPackageFact(p, &fact) || fact.Module != all.Module || all.Module == "" && !sameProject(p.Path(), pass.Pkg.Path()) {
			continue
		}
		for _, s := range fact.Sites {
			if s.id == 0 { // the fact comes from another process
				s.identify()
			}
			if !seen[s.id] {
				seen[s.id] = true
				all.Sites = append(all.Sites, s)
			}
		}
		for _, id := range fact.Started {
			if !started[id] {
				started[id] = true
				all.Started = append(all.Started, id)
			}
		}
	}
	slices.Sort(all.Started)
	return all
}

// export exports the facts about the package.
func export(pass *analysis.Pass, sites []*site, g *graph, r *reachable, started []uint64) {
	fact := &sitesFact{Module: moduleOf(pass), Sites: sites, Started: r.ids(r.from(g.started, started))}
	pass.ExportPackageFact(fact)
	shared := map[string][]uint64{}
	for obj, s := range r.of {
		if !exportable(pass.Pkg, obj) || s.empty() {
			continue
		}
		// Many functions lead to the same sites, so the functions share one list.
		key := fmt.Sprint(s)
		if shared[key] == nil {
			shared[key] = r.ids(s)
		}
		pass.ExportObjectFact(obj, &reachesFact{Sites: shared[key]})
	}
}

// exportable reports whether other packages may refer to an object of pkg. They may
// refer to an exported method even if its type is not exported.
func exportable(pkg *types.Package, obj types.Object) bool { return obj.Exported() && obj.Pkg() == pkg }

// sameProject guesses from two import paths whether their packages belong to one
// project. It serves drivers that do not know modules. The first three elements of the
// paths must agree, as in example.org/team/project. Shorter paths must agree except in
// the last element.
func sameProject(a, b string) bool {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := max(1, min(3, len(x)-1, len(y)-1))
	return slices.Equal(x[:n], y[:n])
}

// moduleOf returns the path of the package's module, or "" in GOPATH mode.
func moduleOf(pass *analysis.Pass) string {
	if pass.Module == nil {
		return ""
	}
	return pass.Module.Path
}

// atlas creates positions in files that another process analyzed. It adds these files
// to the file set, with lines of one constant width. A position in such a file has the
// right line and column, but a wrong offset, so fixes cannot use it.
type atlas struct {
	fset  *token.FileSet
	files map[string]*token.File
}

func newAtlas(fset *token.FileSet) *atlas { return &atlas{fset, map[string]*token.File{}} }

// width is the number of columns of each line in an atlas. Sites on lines after maxLine get
// no position.
const (
	width   = 1 << 8
	maxLine = 1 << 20
)

// span returns the start and the end of a site. They are token.NoPos if the site has no
// position.
func (a *atlas) span(s *site) (pos, end token.Pos) {
	if s.pos.IsValid() {
		return s.pos, s.end
	}
	if s.Line < 1 || s.Column < 1 || s.Line > maxLine {
		return token.NoPos, token.NoPos
	}
	f := a.files[s.File]
	if f == nil || f.LineCount() < s.Line {
		offsets := make([]int, s.Line)
		for i := range offsets {
			offsets[i] = i * width
		}
		f = a.fset.AddFile(s.File, -1, len(offsets)*width)
		f.SetLines(offsets)
		a.files[s.File] = f
	}
	from := min(s.Column, width) - 1
	to := min(from+max(0, s.Width), width-1)
	return f.Pos((s.Line-1)*width + from), f.Pos((s.Line-1)*width + max(from, to))
}
