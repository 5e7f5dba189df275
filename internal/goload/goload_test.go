package goload

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"
)

// write writes the files of a txtar archive to a new directory and returns the directory.
func write(t *testing.T, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// marked is a fact about functions whose name begins with Marked.
type marked struct{ Note string }

func (*marked) AFact() {}

// calls returns an analyzer. It reports calls of functions with the fact marked. It also
// reports calls of functions named Find, with the type of the first argument.
func calls() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name: "calls", Doc: "report calls", FactTypes: []analysis.Fact{(*marked)(nil)}, ResultType: reflect.TypeFor[int](),
	}
	a.Run = func(pass *analysis.Pass) (any, error) {
		n := 0
		for _, f := range pass.Files {
			ast.Inspect(f, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.FuncDecl:
					if strings.HasPrefix(node.Name.Name, "Marked") {
						pass.ExportObjectFact(pass.TypesInfo.Defs[node.Name], &marked{pass.Pkg.Path()})
					}
				case *ast.CallExpr:
					var id *ast.Ident
					switch fun := node.Fun.(type) {
					case *ast.Ident:
						id = fun
					case *ast.SelectorExpr:
						id = fun.Sel
					default:
						return true
					}
					fn, ok := pass.TypesInfo.Uses[id].(*types.Func)
					if !ok {
						return true
					}
					var fact marked
					switch {
					case pass.ImportObjectFact(fn.Origin(), &fact):
						pass.Reportf(id.Pos(), "call of %s, marked in %s", fn.Name(), fact.Note)
					case fn.Name() == "Find":
						pass.Reportf(id.Pos(), "Find(%s)", pass.TypesInfo.TypeOf(node.Args[0]))
					case fn.Name() == "Panic":
						panic("asked to")
					}
					n++
				}
				return true
			})
		}
		return n, nil
	}
	return a
}

// offline returns an environment in which the go command does not use the network.
func offline(more ...string) []string {
	return append(append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK="), more...)
}

// diagnosed analyses the module in an archive. It returns the diagnostics and the
// failures as text.
func diagnosed(t *testing.T, archive string, change func(*Options)) []string {
	t.Helper()
	dir := write(t, archive)
	o := Options{Dir: dir, Env: offline(), Patterns: []string{"./..."}, Analyzers: []*analysis.Analyzer{calls()}}
	if change != nil {
		change(&o)
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	short := func(name string) string {
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return name
		}
		return filepath.ToSlash(rel)
	}
	for _, d := range r.Diagnostics {
		lines = append(lines, fmt.Sprintf("%s:%d:%d %s", short(d.Pos.Filename), d.Pos.Line, d.Pos.Column, d.Message))
	}
	for _, f := range r.Failures {
		for _, e := range f.Errors {
			place := ""
			if e.Pos.Filename != "" {
				name := e.Pos.Filename
				if filepath.IsAbs(name) {
					name = short(name)
				}
				place = fmt.Sprintf("%s:%d: ", filepath.ToSlash(name), e.Pos.Line)
			}
			lines = append(lines, f.Package+" failed: "+place+e.Msg)
		}
	}
	return lines
}

const module = "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n"

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		name    string
		archive string
		change  func(*Options)
		want    []string
	}{
		{
			name: "facts across packages, methods and generics",
			archive: module + `
-- a/a.go --
package a

func Marked() {}

func MarkedFor[T any](T) {}

type T[U any] struct{ u U }

func (t *T[U]) MarkedMethod() U { return t.u }
-- b/b.go --
package b

import "example.com/m/a"

func f() {
	a.Marked()
	a.MarkedFor(1)
	(&a.T[int]{}).MarkedMethod()
	Find(a.T[string]{})
}

func Find(any) {}
`,
			want: []string{
				"b/b.go:6:4 call of Marked, marked in example.com/m/a",
				"b/b.go:7:4 call of MarkedFor, marked in example.com/m/a",
				"b/b.go:8:16 call of MarkedMethod, marked in example.com/m/a",
				"b/b.go:9:2 Find(example.com/m/a.T[string])",
			},
		},
		{
			name: "only packages that match the patterns are reported, but facts come from all of the module",
			archive: module + `
-- a/a.go --
package a

func Marked() { Marked() }
-- b/b.go --
package b

import "example.com/m/a"

func f() { a.Marked() }
`,
			change: func(o *Options) { o.Patterns = []string{"./b"} },
			want:   []string{"b/b.go:5:14 call of Marked, marked in example.com/m/a"},
		},
		{
			name: "no facts from other modules",
			archive: `
-- go.mod --
module example.com/m

go 1.24

require example.com/other v1.0.0

replace example.com/other => ./other
-- other/go.mod --
module example.com/other

go 1.24
-- other/other.go --
package other

import "bytes"

func Marked() { undefined.But(notLookedAt) }

type Kind struct{ *bytes.Buffer }
-- m.go --
package m

import "example.com/other"

func f() { other.Marked(); Find(other.Kind{}.Len()) }

func Find(any) {}
`,
			want: []string{"m.go:5:28 Find(int)"},
		},
		{
			name: "vendored modules",
			archive: `
-- go.mod --
module example.com/m

go 1.24

require example.com/other v1.0.0
-- vendor/modules.txt --
# example.com/other v1.0.0
## explicit; go 1.24
example.com/other
-- vendor/example.com/other/other.go --
package other

func Marked() {}

type Kind int
-- m.go --
package m

import "example.com/other"

func f() { other.Marked(); Find(other.Kind(1)) }

func Find(any) {}
`,
			want: []string{"m.go:5:28 Find(example.com/other.Kind)"},
		},
		{
			name: "a workspace of modules",
			archive: `
-- go.work --
go 1.24

use (
	./one
	./two
)
-- one/go.mod --
module example.com/one

go 1.24
-- one/one.go --
package one

func Marked() {}
-- two/go.mod --
module example.com/two

go 1.24
-- two/two.go --
package two

import "example.com/one"

func f() { one.Marked() }
`,
			change: func(o *Options) { o.Patterns = []string{"./one/...", "./two/..."} },
			want:   []string{"two/two.go:5:16 call of Marked, marked in example.com/one"},
		},
		{
			name: "build tags",
			archive: module + `
-- a.go --
package a

func Marked() {}
-- b.go --
//go:build special

package a

func f() { Marked() }
`,
			change: func(o *Options) { o.BuildFlags = []string{"-tags=special"} },
			want:   []string{"b.go:5:12 call of Marked, marked in example.com/m"},
		},
		{
			name: "test variants tell nothing twice",
			archive: module + `
-- a.go --
package a

func Marked() {}

func f() { Marked() }
-- a_test.go --
package a

func inTest() { Marked(); f() }
-- x_test.go --
package a_test

import "example.com/m"

func outside() { a.Marked() }
`,
			change: func(o *Options) { o.Tests = true },
			want: []string{
				"a.go:5:12 call of Marked, marked in example.com/m",
				"a_test.go:3:17 call of Marked, marked in example.com/m",
				"x_test.go:5:20 call of Marked, marked in example.com/m",
			},
		},
		{
			name: "cgo is not run",
			archive: module + `
-- a.go --
package a

// static int answer(void) { return 42; }
import "C"

func Answer() int { return int(C.answer()) }
-- b.go --
package a

func f() { Find(Answer()) }

func Find(any) {}
`,
			change: func(o *Options) { o.Env = offline("CGO_ENABLED=1") },
			want:   []string{"b.go:3:12 Find(int)"},
		},
		{
			name: "mistakes of all kinds, and the rest goes on",
			archive: module + `
-- good/good.go --
package good

func Marked() {}

func f() { Marked() }
-- syntax/syntax.go --
package syntax

func f( {
-- types/types.go --
package types

var x int = "text"
-- missing/missing.go --
package missing

import "example.net/nowhere"

var _ = nowhere.X
-- user/user.go --
package user

import (
	"example.com/m/good"
	"example.com/m/types"
)

var _ = types.NotThere

func f() { good.Marked() }
`,
			want: []string{
				"good/good.go:5:12 call of Marked, marked in example.com/m/good",
				"example.com/m/missing failed: missing/missing.go:3: could not import example.net/nowhere (no required module provides package example.net/nowhere; to add it:\n\tgo get example.net/nowhere)",
				"example.com/m/syntax failed: syntax/syntax.go:3: expected ')', found '{'",
				"example.com/m/types failed: types/types.go:3: cannot use \"text\" (untyped string constant) as int value in variable declaration",
				"example.com/m/user failed: user/user.go:8: undefined: types.NotThere",
			},
		},
		{
			name: "bodies of generated files that call clients are looked into",
			archive: module + `
-- clientset/versioned/client.go --
package versioned

type Client struct{}

func (Client) Update() {}
-- gen.go --
// Code generated by hand. DO NOT EDIT.

package m

import "example.com/m/clientset/versioned"

func f(c versioned.Client) { Find(c); c.Update() }

func Find(any) {}
-- more.go --
// Code generated by hand. DO NOT EDIT.

package m

func New() { Find(1) }
`,
			want: []string{"gen.go:7:30 Find(example.com/m/clientset/versioned.Client)", "more.go:5:14 Find(int)"},
		},
		{
			name: "bodies of generated files are not looked into",
			archive: module + `
-- gen.go --
// Code generated by hand. DO NOT EDIT.

package m

import (
	"bytes"
	"strings"
	renamed "text/template"
	. "unicode/utf8"
	_ "embed"
)

func Marked() string { return strings.ToUpper("a") }

func MarkedGeneric[T any]() (t T) { var b bytes.Buffer; Find(b); return }

type T[U any] struct{}

func (T[U]) MarkedMethod() int { return 1 }

type N struct{}

func (n *N) init() string { Panic(); return "" }

func init() { _ = RuneError }

func Panic() *renamed.Template { Panic(); return nil }
-- m.go --
package m

func f() { Marked(); MarkedGeneric[int](); T[int]{}.MarkedMethod() }

func Find(any) {}
`,
			want: []string{
				"gen.go:15:57 Find(bytes.Buffer)",
				"m.go:3:12 call of Marked, marked in example.com/m",
				"m.go:3:53 call of MarkedMethod, marked in example.com/m",
			},
		},
		{
			name: "an import cycle",
			archive: module + `
-- a/a.go --
package a

import "example.com/m/b"

var A = b.B
-- b/b.go --
package b

import "example.com/m/a"

var B = a.A
-- c/c.go --
package c

func Marked() {}

func f() { Marked() }
`,
			want: []string{"c/c.go:5:12 call of Marked, marked in example.com/m/c", "cycle"},
		},
		{
			name: "an analyzer that panics",
			archive: module + `
-- a/a.go --
package a

func Panic() { Panic() }
-- b/b.go --
package b

func Marked() {}

func f() { Marked() }
`,
			want: []string{
				"b/b.go:5:12 call of Marked, marked in example.com/m/b",
				"example.com/m/a failed: calls: panic: asked to (at goload_test.go)",
			},
		},
		{
			name: "a newer language than this program's",
			archive: `
-- go.mod --
module example.com/m

go 1.24
-- a.go --
//go:build go1.25

package a

func Marked() {}

func f() { for range 3 { Marked() } }
`,
			want: []string{"a.go:7:26 call of Marked, marked in example.com/m"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := diagnosed(t, tt.archive, tt.change)
			if slices.Contains(tt.want, "cycle") {
				// It depends on the go command how many packages report the cycle.
				if !slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, "import cycle") }) || got[0] != tt.want[0] {
					t.Errorf("got %q", got)
				}
				return
			}
			for i := range got { // the position of a panic has a line number, which may change
				if at := strings.Index(got[i], "goload_test.go:"); at >= 0 {
					got[i] = got[i][:at] + "goload_test.go)"
				}
			}
			if diff := cmp.Diff(tt.want, slices.DeleteFunc(got, func(line string) bool {
				return strings.Contains(line, "syntax failed: ") && !strings.Contains(line, "expected ')', found '{'")
			})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestPanic checks that a panic in one package does not affect other packages.
func TestPanic(t *testing.T) {
	n := &node{}
	n.recover(func() { panic("boom") })
	n.recover(func() {})
	if len(n.errors) != 1 || !n.errors[0].Internal || !strings.Contains(n.errors[0].Msg, "please report it (boom)") {
		t.Errorf("got %v", n.errors)
	}
}

// TestSkipped checks which packages are skipped, and that a marker prevents this.
func TestSkipped(t *testing.T) {
	archive := module + `
-- api/api.go --
package api
-- user/user.go --
package user

import _ "example.com/m/api"

func Marked() {}

func f() { Marked() }
-- plain/plain.go --
package plain

func Marked() {}

func f() { Marked() }
-- noted/noted.go --
package noted

func Marked() {}

func f() { Marked() } // note
`
	dir := write(t, archive)
	visited := []string{}
	r, err := Run(t.Context(), Options{
		Dir: dir, Env: offline(), Patterns: []string{"./..."}, Analyzers: []*analysis.Analyzer{calls()},
		Relevant: func(path string) bool { return path == "example.com/m/api" },
		Markers:  []string{"// note"},
		Visit: func(p *unit.Package, results []unit.Result) {
			visited = append(visited, fmt.Sprint(p.Types.Path(), results[0].Value))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Packages != 4 || r.Skipped != 1 || len(r.Diagnostics) != 2 {
		t.Errorf("packages %d, skipped %d, diagnostics %v", r.Packages, r.Skipped, r.Diagnostics)
	}
	slices.Sort(visited)
	if diff := cmp.Diff([]string{"example.com/m/api0", "example.com/m/noted1", "example.com/m/user1"}, visited); diff != "" {
		t.Errorf("visited (-want +got):\n%s", diff)
	}
}

// TestUnknown checks a package that may import something relevant. It must be a failure,
// and must not be skipped.
func TestUnknown(t *testing.T) {
	archive := module + `
require example.com/lib v1.0.0

replace example.com/lib => ./lib
-- lib/go.mod --
module example.com/lib

go 1.24
-- lib/lib.go --
package lib

import "example.com/private/deep"

var Client = deep.Client
-- lib/windows/x_windows.go --
package windows
-- lib/plan9/x_plan9.go --
package plan9
-- direct/direct.go --
package direct

import "example.com/private/kube"

func f() { kube.Apply() }
-- blank/blank.go --
package blank

import _ "example.com/private/kube"
-- through/through.go --
package through

import "example.com/m/direct"

var _ = direct.X
-- foreign/foreign.go --
package foreign

import "example.com/lib"

func Marked() {}

func f() {
	Marked()
	lib.Client.Create()
}
-- imports/imports.go --
package imports

import ( "fmt"

func f() {}
-- syntax/syntax.go --
package syntax

import "fmt"

func f( {}
-- embed/embed.go --
package embed

import _ "embed"

//go:embed missing
var text string
-- system/system.go --
package system

import (
	_ "example.com/lib/plan9"
	_ "example.com/lib/windows"
)
-- plain/plain.go --
package plain
`
	got := diagnosed(t, archive, func(o *Options) {
		o.Relevant = func(path string) bool { return path == "example.com/m/api" }
	})
	want := []string{
		"foreign/foreign.go:8:2 call of Marked, marked in example.com/m/foreign",
		"example.com/m/blank failed: blank/blank.go:3: could not import example.com/private/kube (no required module provides package example.com/private/kube; to add it:\n\tgo get example.com/private/kube)",
		"example.com/m/direct failed: direct/direct.go:3: could not import example.com/private/kube (no required module provides package example.com/private/kube; to add it:\n\tgo get example.com/private/kube)",
		"example.com/m/foreign failed: lib/lib.go:3: could not load example.com/private/deep: no required module provides package example.com/private/deep; to add it:\n\tgo get example.com/private/deep",
		"example.com/m/imports failed: imports/imports.go:5: missing import path",
		"example.com/m/imports failed: imports/imports.go:5: expected ';', found '{'",
		"example.com/m/through failed: through/through.go:5: undefined: direct.X",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoPackages(t *testing.T) {
	dir := write(t, module+"-- empty/readme --\n")
	_, err := Run(t.Context(), Options{Dir: dir, Env: offline(), Patterns: []string{"./..."}, Analyzers: []*analysis.Analyzer{calls()}})
	if !errors.Is(err, ErrNoPackages) {
		t.Errorf("got %v", err)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	dir := write(t, module+"-- a.go --\npackage a\n")
	if _, err := Run(ctx, Options{Dir: dir, Env: offline(), Analyzers: []*analysis.Analyzer{calls()}}); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

// TestDeterministic analyses packages of the standard library twice. Both results must be
// equal.
func TestDeterministic(t *testing.T) {
	dir := write(t, module+"-- a.go --\npackage a\n")
	run := func() string {
		r, err := Run(t.Context(), Options{Dir: dir, Env: offline(), Patterns: []string{"go/..."}, Analyzers: []*analysis.Analyzer{calls()}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Failures {
			t.Errorf("%s: %v", f.Package, f.Errors)
		}
		var out strings.Builder
		for _, d := range r.Diagnostics {
			fmt.Fprintln(&out, d.Pos, d.Message)
		}
		return out.String()
	}
	if diff := cmp.Diff(run(), run()); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
}
