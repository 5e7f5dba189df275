// Package codetrace finds the Go code of the clients in an audit log. It compares names:
// the field managers and user agents that the code sets, the names of the programs that
// are built from it, and the name of its module.
//
// If a client requests custom resources, code that names other custom resources is
// excluded. If many programs have the same name, the custom resources or the service
// account must confirm the match. An equal name is evidence, but no proof. So each match
// says its basis.
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
	// Path is the module path. Dir is the directory of the module, as a user would type
	// it.
	Path, Dir string
	// Traces has the traces of the packages in the module.
	Traces []*analyzers.Trace
	// Programs has the programs of the module with the names in build files. It does not
	// have the names that the go command uses by default.
	Programs []Program
}

// Program is a program that a build file writes.
type Program = programs.Program

// Index is an index of modules for Locate. The zero value is an empty index.
type Index struct {
	modules []*indexed
}

type indexed struct {
	Module
	packages map[string]*analyzers.Trace
	mains    []*analyzers.Trace
}

// New returns an index of modules. It keeps references to the modules.
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

// Basis says why code belongs to a client. A greater value is stronger evidence.
type Basis uint8

// The zero value of Basis means that there is no match.
const (
	// ByModule means that the last element of the module path is the name of the client.
	ByModule Basis = iota + 1
	// ByProgram means that a program of the module has the name of the client.
	ByProgram
	// ByConstant means that the code sets the name of the client as field manager or user
	// agent.
	ByConstant
)

// String returns "constant", "binary" or "module". It returns "" if there is no match.
func (b Basis) String() string {
	return [...]string{"", "module", "binary", "constant"}[min(b, ByConstant)]
}

// Match is code that probably sends the requests of a client.
type Match struct {
	Basis Basis
	// Name is the name that the client and the code have in common. At is the position of
	// the name in the code. At has no file if it is the name of the module.
	Name string
	At   token.Position
	// Module, Dir and Package say where the name was found. If the name belongs to the
	// whole module, Package is empty.
	Module, Dir, Package string

	// scope has the packages of all programs that the client may be. rest has the
	// packages that belong to no program of the module, if a program of another module
	// may use them.
	scope, rest []*analyzers.Trace
	home        map[string]bool
}

// around returns the packages of all programs that contain a package in home. If no
// program contains one, it returns all packages.
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

// unreached returns the packages that no program of the module contains.
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

// reach returns the packages of the module that are part of a program: the package from,
// and all packages that from imports directly or indirectly.
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
