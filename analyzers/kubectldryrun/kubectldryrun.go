// Package kubectldryrun reports forms of --dry-run that kubectl deprecates, refuses or
// misreads. It checks the kubectl and oc commands that a program runs.
//
// It begins at the place where the command runs, and looks for the arguments in variables,
// appends, and functions that take or return arguments. For functions of other packages, it
// uses facts. Package rules/kubectl knows how kubectl parses the arguments.
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

// Analyzer implements the rule kubectldryrun.
var Analyzer = &analysis.Analyzer{
	Name:             id,
	Doc:              scope.Doc(id),
	URL:              scope.URL(id),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer},
	FactTypes:        []analysis.Fact{new(runner)},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

// checker checks one package.
type checker struct {
	pass  *analysis.Pass
	index *index
	// runners has the functions of the package that run a command with parameters of the
	// function as arguments.
	runners map[*types.Func]*template
	// reported has the positions of the reported arguments. Many calls can lead to the same
	// argument.
	reported map[token.Pos]bool
	// steps counts the slices that were examined for the current call.
	steps int
}

func run(pass *analysis.Pass) (any, error) {
	if !runsCommands(pass) {
		return nil, nil
	}
	c := &checker{pass: pass, runners: map[*types.Func]*template{}, reported: map[token.Pos]bool{}}
	c.index = newIndex(pass)
	// Each round may find functions that call the functions found in the previous round.
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

// round checks all calls of functions that run commands. It reports whether it has found
// more such functions.
func (c *checker) round() bool {
	found := false
	for _, call := range c.index.calls {
		lines := c.lines(call)
		for _, l := range lines {
			c.checkLine(l)
		}
		if call.in == nil || !slices.ContainsFunc(lines, line.hasParam) {
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
				if l.hasParam() && len(t.lines) < maxLines {
					t.lines = append(t.lines, l)
					found = true
				}
			}
		}
	}
	return found
}

// maxLines limits the alternatives that are kept for one command line.
const maxLines = 8

// runsCommands reports whether the package can run kubectl, itself or through a function of
// another package.
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

// starters lists the functions and methods that run a program, by package and name. The
// number is the index of the argument with the program's name. The program's arguments
// follow it.
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

// callee returns the function or method that a call names. It returns nil for other
// calls.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// runner is the fact about a function that runs commands. Lines are its command lines.
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
