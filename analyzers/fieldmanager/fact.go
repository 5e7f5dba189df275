package fieldmanager

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/analysis"
)

// handedOver is the fact about a package that it, or a package of its module
// that it imports, writes without a manager through clients that are built
// elsewhere. Whoever builds them takes the writes over.
type handedOver struct {
	Module string
	Writes []write
	// Places say what the package does with the clients it is handed; not
	// those that it imports.
	Places []place
}

// AFact marks the type as a fact.
func (*handedOver) AFact() {}

func (h *handedOver) String() string { return fmt.Sprintf("%d nameless writes", len(h.Writes)) }

// write is one write, as far as other packages have to know it.
type write struct {
	Package      string // import path of the package that writes
	File         string
	Line, Column int
	Method       string // such as "Update"
	Family       apicall.Family
	Client       string // import path of the package whose method is called

	// pos is the position in the package that is being analysed; not told to
	// others.
	pos, end token.Pos
}

// id tells writes apart, across packages.
func (w write) id() uint64 {
	return hash(w.Package, w.File, strconv.Itoa(w.Line), strconv.Itoa(w.Column))
}

// newWrite describes a call of the package.
func newWrite(pass *analysis.Pass, c *apicall.Call) write {
	at := pass.Fset.PositionFor(c.Pos(), false)
	w := write{
		Package: pass.Pkg.Path(), File: at.Filename, Line: at.Line, Column: at.Column,
		Method: method(c), Family: c.Family, pos: c.Pos(), end: c.End(),
	}
	if c.Method != nil && c.Method.Pkg() != nil {
		w.Client = edit.Unvendored(c.Method.Pkg().Path())
	}
	return w
}

// inherited are the writes that imported packages of the module hand over.
func inherited(pass *analysis.Pass) []write {
	module := moduleOf(pass)
	seen := map[write]bool{}
	var list []write
	for _, p := range pass.Pkg.Imports() {
		var fact handedOver
		if !pass.ImportPackageFact(p, &fact) || fact.Module != module || module == "" && !siblings(p.Path(), pass.Pkg.Path()) {
			continue
		}
		for _, w := range fact.Writes {
			if !seen[w] {
				seen[w] = true
				list = append(list, w)
			}
		}
	}
	slices.SortFunc(list, func(a, b write) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return list
}

// siblings guesses from their import paths, where nothing tells modules, that
// two packages are of one project: they agree in the first three elements, as
// in example.org/team/project, or in all but the last of the shorter one.
func siblings(a, b string) bool {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := max(1, min(3, len(x)-1, len(y)-1))
	return slices.Equal(x[:n], y[:n])
}

// handOver leaves writes to the packages that import this one.
func handOver(pass *analysis.Pass, writes []write, places []place) {
	if len(writes) == 0 {
		return
	}
	fact := &handedOver{Module: moduleOf(pass), Places: places}
	for _, w := range writes {
		w.pos, w.end = token.NoPos, token.NoPos
		fact.Writes = append(fact.Writes, w)
	}
	pass.ExportPackageFact(fact)
}

// moduleOf is the path of the package's module; empty where there is none, as
// in GOPATH mode.
func moduleOf(pass *analysis.Pass) string {
	if pass.Module == nil {
		return ""
	}
	return pass.Module.Path
}

// atlas makes positions for lines of files that are not in the pass's file
// set: those of packages that were analysed by another process.
type atlas struct {
	fset  *token.FileSet
	files map[string]*token.File
}

// width is the number of columns that a made-up line has.
const width = 1 << 8

// positions returns where the writes stand. A file that is not known is added
// to the file set, as empty lines up to the last one that is needed.
func (a *atlas) positions(writes []write) []token.Pos {
	last := map[string]int{}
	for _, w := range writes {
		last[w.File] = max(last[w.File], w.Line)
	}
	list := make([]token.Pos, len(writes))
	for i, w := range writes {
		if list[i] = w.pos; w.pos.IsValid() || w.Line < 1 || w.Column < 1 {
			continue
		}
		f := a.files[w.File]
		if f == nil || f.LineCount() < w.Line {
			offsets := make([]int, last[w.File])
			for i := range offsets {
				offsets[i] = i * width
			}
			f = a.fset.AddFile(w.File, -1, len(offsets)*width)
			f.SetLines(offsets)
			a.files[w.File] = f
		}
		list[i] = f.Pos((w.Line-1)*width + min(w.Column, width) - 1)
	}
	return list
}
