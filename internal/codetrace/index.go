// Package codetrace finds the Go code of the clients in an audit log. It compares names:
// the field managers and user agents that the code sets, the names of the programs that
// are built from it, and the name of its module.
//
// Code is excluded if a client requests custom resources and the code names only others.
// A name that many programs have needs further evidence: the custom resources or the
// service account. An equal name is no proof, so each match says its basis.
package codetrace

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/analyzers/programs"
)

// Module is an analyzed Go module.
type Module struct {
	// Path is the module path. Dir is the directory of the module, as a user would type
	// it.
	Path, Dir string
	// Traces has the traces of the packages in the module.
	Traces []*analyzers.Trace
	// Programs has the programs of the module that build files name. The default names of
	// the go command are not included.
	Programs []Program
}

// Program is a program that a build file names.
type Program = programs.Program

// Index is an index of modules for Locate. The zero value is an empty index.
type Index struct {
	modules []*moduleIndex
}

type moduleIndex struct {
	Module
	packages map[string]*analyzers.Trace
	mains    []*analyzers.Trace
}

// New returns an index of modules. It keeps references to the modules.
func New(modules []Module) *Index {
	x := &Index{}
	for _, m := range modules {
		i := &moduleIndex{Module: m, packages: map[string]*analyzers.Trace{}}
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

// Basis says which name a client and its code share. A greater value is stronger
// evidence. The zero value means no match.
type Basis uint8

const (
	// ByModule means that the last element of the module path is the name of the client.
	ByModule Basis = iota + 1
	// ByProgram means that a program of the module has the name of the client.
	ByProgram
	// ByConstant means that the code sets the name of the client as field manager or user
	// agent.
	ByConstant
)

// String returns "constant", "binary" or "module", or "" for the zero value.
func (b Basis) String() string {
	return [...]string{"", "module", "binary", "constant"}[min(b, ByConstant)]
}

// Match is code that probably sends the requests of a client.
type Match struct {
	Basis Basis
	// Name is the name that the client and the code share. At is its position in the
	// code. At has no file for the name of the module.
	Name string
	At   token.Position
	// Module, Dir and Package say where the name was found. If the name belongs to the
	// whole module, Package is empty.
	Module, Dir, Package string

	// scope has the packages of all programs that the client may be. fallback has the
	// packages that belong to no program of the module, because programs of other modules
	// may use them. namingPackages has the packages that set the name.
	scope, fallback []*analyzers.Trace
	namingPackages  map[string]bool
}

// programPackages returns the packages of all programs that contain a package in home. If
// no program does, it returns all packages.
func (m *moduleIndex) programPackages(home map[string]bool) []*analyzers.Trace {
	in := map[string]bool{}
	for _, main := range m.mains {
		reached := m.reachable(main.Package)
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
	return m.only(in)
}

// packagesWithoutProgram returns the packages that no program of the module contains.
func (m *moduleIndex) packagesWithoutProgram() (some []*analyzers.Trace) {
	in := map[string]bool{}
	for _, main := range m.mains {
		for p := range m.reachable(main.Package) {
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

func (m *moduleIndex) only(in map[string]bool) (some []*analyzers.Trace) {
	for _, t := range m.Traces {
		if in[t.Package] {
			some = append(some, t)
		}
	}
	return some
}

// reachable returns the package from, and all packages of the module that it imports
// directly or indirectly.
func (m *moduleIndex) reachable(from string) map[string]bool {
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
