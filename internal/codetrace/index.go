// Package codetrace finds the Go code behind the clients of an audit log: by
// the field managers and user agents that the code signs with, by the names of
// the programs that are built of it, and by the name of its module.
//
// It decides by names alone. That a name is the same is evidence, no proof: each
// answer says what it rests on.
package codetrace

import (
	"cmp"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
)

// Module is a Go module as it was analysed.
type Module struct {
	// Path is its module path, Dir where it lies, as a user would type it.
	Path, Dir string
	// Traces are those of its packages.
	Traces []*analyzers.Trace
	// Programs are names under which build files write programs, beside those
	// that the go command would give them.
	Programs []Program
}

// Program is a program as a build file names it.
type Program struct {
	Name string
	// Package is the import path of its package main; empty where the build
	// file does not say.
	Package string
	At      token.Position
}

// Index finds code. The zero value has none.
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

// Basis is what an answer rests on. A greater one is better.
type Basis uint8

// The bases. The zero value is none.
const (
	// ByModule: the last element of the module's path is the client's name.
	ByModule Basis = iota + 1
	// ByProgram: a program of the module has the name.
	ByProgram
	// ByConstant: the code signs with the name, as field manager or user agent.
	ByConstant
)

// String gives "constant", "binary" or "module", and "" for none.
func (b Basis) String() string {
	return [...]string{"", "module", "binary", "constant"}[min(b, ByConstant)]
}

// Client is who an audit log shows.
type Client struct {
	// Agent is the user agent, with its version or without.
	Agent string
	// Managers are its field managers: those it names, and the one that a
	// server derives.
	Managers []string
}

// names are what code may call itself.
func (c Client) names() []string {
	var names []string
	add := func(s string) {
		if s != "" && !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	for _, m := range c.Managers {
		add(m)
	}
	// "shop/v1.2 (linux/amd64) kubernetes/$Format/budgets": the first word is
	// the program, what rest.AddUserAgent appends comes last.
	agent, _, _ := strings.Cut(c.Agent, " ")
	add(agent)
	first, _, _ := strings.Cut(agent, "/")
	add(first)
	if last := c.Agent[strings.LastIndex(c.Agent, "/")+1:]; !versionLike.MatchString(last) && !strings.ContainsAny(last, " ()") {
		add(last)
	}
	return names
}

// versionLike are the parts of user agents that are versions or commits.
var versionLike = regexp.MustCompile(`^(v?[0-9][0-9A-Za-z.+_-]*|[0-9a-f]{7,}|\$Format:?|unknown|devel)$`)

// Match is code that is probably the client's.
type Match struct {
	Basis Basis
	// Name is what client and code have in common, At where the code has it; At
	// has no file where it is the module's own name.
	Name string
	At   token.Position
	// Module and Package are whose name it is; Package is empty where it is the
	// module's.
	Module, Dir, Package string

	scope []*analyzers.Trace
	home  map[string]bool
}

// maxMatches is how many modules or programs are named for one client.
const maxMatches = 3

// Locate finds the code of a client: all of the best basis, at most a few.
func (x *Index) Locate(c Client) []Match {
	names := c.names()
	if len(names) == 0 {
		return nil
	}
	var all []Match
	for _, m := range x.modules {
		all = append(all, m.byConstant(names)...)
	}
	if len(all) == 0 {
		for _, m := range x.modules {
			all = append(all, m.byProgram(names)...)
		}
	}
	if len(all) == 0 {
		for _, m := range x.modules {
			if base := pathBase(m.Path); slices.Contains(names, base) || slices.Contains(names, m.Path) {
				all = append(all, Match{Basis: ByModule, Name: base, Module: m.Path, Dir: m.Dir, scope: m.Traces})
			}
		}
	}
	return all[:min(len(all), maxMatches)]
}

// byConstant finds packages that sign with one of the names, one answer for all
// of a module. The names stand in order of their worth.
func (m *indexed) byConstant(names []string) []Match {
	best := Match{}
	rank := len(names)
	home := map[string]bool{}
	for _, t := range m.Traces {
		for _, n := range t.Names {
			value := n.Value
			if n.Agent {
				value, _, _ = strings.Cut(value, "/")
			}
			i := slices.Index(names, value)
			if j := slices.Index(names, n.Value); i < 0 || j >= 0 && j < i {
				i = j
			}
			if i < 0 {
				continue
			}
			home[t.Package] = true
			if i < rank {
				rank = i
				best = Match{Basis: ByConstant, Name: names[i], At: n.Pos, Module: m.Path, Dir: m.Dir, Package: t.Package}
			}
		}
	}
	if best.Basis == 0 {
		return nil
	}
	best.home = home
	best.scope = m.around(home)
	return []Match{best}
}

// around are the packages of all programs that hold one of the packages; all
// packages where none does.
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

func (m *indexed) those(in map[string]bool) (some []*analyzers.Trace) {
	for _, t := range m.Traces {
		if in[t.Package] {
			some = append(some, t)
		}
	}
	return some
}

// reach are the module's packages that a package is built of.
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

// byProgram finds programs that have one of the names.
func (m *indexed) byProgram(names []string) (all []Match) {
	found := map[string]bool{}
	for _, name := range names {
		for _, main := range m.mains {
			if pathBase(main.Package) == name && !found[main.Package] {
				found[main.Package] = true
				all = append(all, m.program(name, main, main.MainPos))
			}
		}
		for _, p := range m.Programs {
			if p.Name != name {
				continue
			}
			main := m.packages[p.Package]
			if main == nil && len(m.mains) == 1 {
				main = m.mains[0]
			}
			switch {
			case main == nil && !found[m.Path]:
				found[m.Path] = true
				all = append(all, Match{Basis: ByProgram, Name: name, At: p.At, Module: m.Path, Dir: m.Dir, scope: m.Traces})
			case main != nil && !found[main.Package]:
				found[main.Package] = true
				all = append(all, m.program(name, main, p.At))
			}
		}
	}
	return all
}

func (m *indexed) program(name string, main *analyzers.Trace, at token.Position) Match {
	return Match{Basis: ByProgram, Name: name, At: at, Module: m.Path, Dir: m.Dir, Package: main.Package, scope: m.those(m.reach(main.Package))}
}

// pathBase is the last element of an import path that is no version: the name
// that the go command gives a program.
func pathBase(p string) string {
	base := path.Base(p)
	if majorVersion.MatchString(base) && path.Dir(p) != "." {
		base = path.Base(path.Dir(p))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 && majorVersion.MatchString(base[i+1:]) {
		base = base[:i]
	}
	return base
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

func comparePositions(a, b token.Position) int {
	return cmp.Or(strings.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
