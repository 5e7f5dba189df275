// Package kubectldryrun reports forms of --dry-run, in the kubectl and oc commands that
// a program runs, that kubectl deprecates, refuses or misreads.
//
// It follows a command line from the place where it is run: through variables, appends
// and functions that return or take arguments, in the package and, by facts, from one
// package to the next. Package rules/kubectl knows how kubectl parses it.
package kubectldryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

const id = "kubectldryrun"

// Analyzer implements the rule.
var Analyzer = &analysis.Analyzer{
	Name:             id,
	Doc:              scope.Doc(id),
	URL:              scope.URL(id),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer},
	FactTypes:        []analysis.Fact{new(runner)},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

// checker looks at one package.
type checker struct {
	pass  *analysis.Pass
	index *index
	// runners are the functions of the package that run a command built from their
	// parameters.
	runners map[*types.Func]*template
	// told are the reported arguments. A function that runs commands may be called from
	// many places.
	told map[token.Pos]bool
	// steps counts the slices examined for one call.
	steps int
}

func run(pass *analysis.Pass) (any, error) {
	if !runsCommands(pass) {
		return nil, nil
	}
	c := &checker{pass: pass, runners: map[*types.Func]*template{}, told: map[token.Pos]bool{}}
	c.index = newIndex(pass)
	// A function that runs commands may call another one that only the round before has
	// found.
	for range 4 {
		if !c.round() {
			break
		}
	}
	for fn, t := range c.runners {
		if fn.Exported() {
			pass.ExportObjectFact(fn, t.fact())
		}
	}
	return nil, nil
}

// round looks at all calls of functions that run commands, and reports whether
// it found further such functions.
func (c *checker) round() bool {
	found := false
	for _, call := range c.index.calls {
		lines := c.lines(call)
		for _, l := range lines {
			c.checkLine(l)
		}
		if call.in == nil || !slices.ContainsFunc(lines, line.open) {
			continue
		}
		fn, ok := c.pass.TypesInfo.Defs[call.in.Name].(*types.Func)
		if !ok {
			continue
		}
		t := c.runners[fn]
		if t == nil {
			t = &template{seen: map[*ast.CallExpr]bool{}}
			c.runners[fn] = t
		}
		if !t.seen[call.expr] {
			t.seen[call.expr] = true
			for _, l := range lines {
				if l.open() && len(t.lines) < most {
					t.lines = append(t.lines, l)
					found = true
				}
			}
		}
	}
	return found
}

// most bounds the ways in which a command line may be put together.
const most = 8

// runsCommands reports whether the package can run kubectl at all: itself, or through a
// function of another package that runs commands.
func runsCommands(pass *analysis.Pass) bool {
	for _, p := range pass.Pkg.Imports() {
		if _, ok := starters[edit.Unvendored(p.Path())]; ok {
			return true
		}
	}
	runners := map[types.Object]bool{}
	for _, f := range pass.AllObjectFacts() {
		runners[f.Object] = true
	}
	if len(runners) == 0 {
		return false
	}
	for _, obj := range pass.TypesInfo.Uses {
		if fn, ok := obj.(*types.Func); ok && runners[fn.Origin()] {
			return true
		}
	}
	return false
}

// starters are the functions and methods that run a program, by package and
// name, with the index of the argument that names it; its arguments follow.
var starters = map[string]map[string]int{
	"os/exec":                   {"Command": 0, "CommandContext": 1},
	"golang.org/x/sys/execabs":  {"Command": 0, "CommandContext": 1},
	"k8s.io/utils/exec":         {"Command": 0, "CommandContext": 1},
	"sigs.k8s.io/kind/pkg/exec": {"Command": 0, "CommandContext": 1},
	"github.com/go-cmd/cmd":     {"NewCmd": 0},
	"github.com/magefile/mage/sh": {
		"Run": 0, "RunV": 0, "RunCmd": 0, "Output": 0, "OutCmd": 0, "RunWith": 1, "RunWithV": 1, "OutputWith": 1, "Exec": 3,
	},
}

// callee is the function or method that a call names.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// runner is the fact about a function that runs commands.
type runner struct {
	Lines [][]slot
}

func (*runner) AFact() {}

func (r *runner) String() string {
	var b strings.Builder
	b.WriteString("runs")
	for _, l := range r.Lines {
		b.WriteString(" [")
		for i, s := range l {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(s.String())
		}
		b.WriteByte(']')
	}
	return b.String()
}
