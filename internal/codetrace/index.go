// Package codetrace finds the Go code behind the clients of an audit log. It compares
// the field managers and user agents that the code signs with, the names of the
// programs that are built from it, and the name of its module.
//
// It decides by names. Custom resources that a client asks for rule out code that has
// other ones. If many programs share a name, the custom resources or the service
// account must confirm it. An equal name is evidence, no proof: each answer states its
// basis.
package codetrace

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/analyzers/programs"
)

// Module is an analysed Go module.
type Module struct {
	// Path is its module path. Dir is its directory, as a user would type it.
	Path, Dir string
	// Traces are those of its packages.
	Traces []*analyzers.Trace
	// Programs are names under which build files write programs, besides the go
	// command's names for them.
	Programs []Program
}

// Program is a program in a build file.
type Program = programs.Program

// Index finds code. The zero value contains none.
type Index struct {
	modules []*indexed
}

type indexed struct {
	Module
	packages map[string]*analyzers.Trace
	mains    []*analyzers.Trace
}

// New makes an index of modules. It keeps them.
func New(modules []Module) *Index {
	x := &Index{}
	for _, m := range modules {
		i := &indexed{Module: m, packages: map[string]*analyzers.Trace{}}
		slices.SortFunc(i.Traces, func(a, b *analyzers.Trace) int { return strings.Compare(a.Package, b.Package) })
		for _, t := range i.Traces {
			i.packages[t.Package] = t
			if t.Main {
				i.mains = append(i.mains, t)
			}
		}
		x.modules = append(x.modules, i)
	}
	return x
}

// Basis is the basis of an answer. A greater one is better.
type Basis uint8

// The bases. The zero value is no basis.
const (
	// ByModule: the last element of the module's path is the client's name.
	ByModule Basis = iota + 1
	// ByProgram: a program of the module has the name.
	ByProgram
	// ByConstant: the code signs with the name, as field manager or user agent.
	ByConstant
)

// String returns "constant", "binary" or "module", and "" for no basis.
func (b Basis) String() string {
	return [...]string{"", "module", "binary", "constant"}[min(b, ByConstant)]
}

// Match is code that is probably the client's.
type Match struct {
	Basis Basis
	// Name is the common name of client and code. At is its place in the code; At has
	// no file if it is the module's own name.
	Name string
	At   token.Position
	// Module and Package have the name. Package is empty if the module has it.
	Module, Dir, Package string

	// scope are the packages of the programs that it can be. rest are those of no
	// program of the module, if it may be one of another module.
	scope, rest []*analyzers.Trace
	home        map[string]bool
}

// around are the packages of all programs that contain one of the packages; all
// packages if none does.
func (m *indexed) around(home map[string]bool) []*analyzers.Trace {
	in := map[string]bool{}
	for _, main := range m.mains {
		reached := m.reach(main.Package)
		for p := range home {
			if reached[p] {
				for q := range reached {
					in[q] = true
				}
				break
			}
		}
	}
	if len(in) == 0 {
		return m.Traces
	}
	return m.those(in)
}

// unreached are the packages that no program of the module contains.
func (m *indexed) unreached() (some []*analyzers.Trace) {
	in := map[string]bool{}
	for _, main := range m.mains {
		for p := range m.reach(main.Package) {
			in[p] = true
		}
	}
	for _, t := range m.Traces {
		if !in[t.Package] {
			some = append(some, t)
		}
	}
	return some
}

func (m *indexed) those(in map[string]bool) (some []*analyzers.Trace) {
	for _, t := range m.Traces {
		if in[t.Package] {
			some = append(some, t)
		}
	}
	return some
}

// reach are the module's packages from which a package is built.
func (m *indexed) reach(from string) map[string]bool {
	reached := map[string]bool{from: true}
	for todo := []string{from}; len(todo) > 0; {
		t := m.packages[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		if t == nil {
			continue
		}
		for _, p := range t.Imports {
			if m.packages[p] != nil && !reached[p] {
				reached[p] = true
				todo = append(todo, p)
			}
		}
	}
	return reached
}

func comparePositions(a, b token.Position) int {
	return cmp.Or(strings.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
