// Package applyforce implements the rule applyforce: server-side apply that always takes
// over the fields of other managers, or that handles no conflicts with them.
package applyforce

import (
	"errors"
	"go/constant"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/objectflow"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer reports applies that force at the first attempt (mode cli). In mode
// controller, it reports applies that do not force, if no code checks whether the error
// of the apply is a conflict.
var Analyzer = newAnalyzer()

// mode is the value of the flag mode.
type mode string

const (
	modeCLI        mode = "cli"
	modeController mode = "controller"
)

// String returns the name of the mode.
func (m *mode) String() string {
	if m == nil {
		return ""
	}
	return string(*m)
}

// Set parses the name of a mode. A wrong name is an error even if the rule is off.
func (m *mode) Set(text string) error {
	switch mode(text) {
	case modeCLI, modeController:
		*m = mode(text)
		return nil
	}
	return errors.New("want cli or controller")
}

func newAnalyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:             "applyforce",
		Doc:              scope.Doc("applyforce"),
		URL:              scope.URL("applyforce"),
		Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, objectflow.Analyzer},
		RunDespiteErrors: true,
	}
	m := modeCLI
	a.Flags.Var(&m, "mode", "what to report: cli, to force at the first attempt, or controller, to leave a conflict unhandled")
	a.Run = intact.Run(func(pass *analysis.Pass) (any, error) { return nil, run(pass, m == modeController) })
	return a
}

func run(pass *analysis.Pass, controller bool) error {
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	objects := pass.ResultOf[objectflow.Analyzer].(*objectflow.Result)
	for _, c := range calls.Calls {
		if c.Verb != apicall.VerbApply || c.Func == nil || c.Fake || c.Family == apicall.Wrapper || objects.Hidden(c.Func) {
			continue
		}
		dry := c.DryRun.State == apicall.Set && !c.DryRun.Sometimes
		switch {
		case controller && c.Force.State != apicall.Unknown && certainlyNotForced(c.Force) && !objects.CallsNamed(c.Func, "onflict") && !comparesReason(c.Func):
			scope.Report(pass, analysis.Diagnostic{
				Pos: c.Pos(), End: c.End(),
				Message: "this apply does not force, and no code handles its conflicts, so a conflict is retried forever; set force or handle apierrors.IsConflict",
			})
		case !controller && !dry && certainlyForces(c.Force) && !afterConflict(objects, c.Func, c.Instr.Block(), 0) && !isRetry(calls, objects, c):
			scope.Report(pass, analysis.Diagnostic{
				Pos: c.Pos(), End: c.End(),
				Message: "this apply forces at the first attempt, so it takes fields from other managers without a warning; apply without force first, and force or report on a conflict",
			})
		}
	}
	return nil
}

// certainlyForces reports whether force is certainly true.
func certainlyForces(force apicall.Setting) bool {
	return force.State == apicall.Set && !force.Sometimes && isBool(force.Constant, true)
}

// certainlyNotForced reports whether force is certainly unset or false.
func certainlyNotForced(force apicall.Setting) bool {
	return force.State == apicall.Unset || force.State == apicall.Set && !force.Sometimes && isBool(force.Constant, false)
}

func isBool(c constant.Value, want bool) bool {
	return c != nil && c.Kind() == constant.Bool && constant.BoolVal(c) == want
}

// isRetry reports whether an apply may retry another apply that does not always force.
// The other apply is in the same function, or in a caller of the function.
func isRetry(calls *apicall.Result, objects *objectflow.Result, c *apicall.Call) bool {
	family := func(f *ssa.Function) *ssa.Function {
		for f.Parent() != nil {
			f = f.Parent()
		}
		return f
	}
	for _, other := range calls.Calls {
		if other == c || other.Verb != apicall.VerbApply || other.Func == nil || certainlyForces(other.Force) {
			continue
		}
		first := family(other.Func)
		if objects.SelfOrCaller(c.Func, func(f *ssa.Function) bool { return f == first }) {
			return true
		}
	}
	return false
}

// afterConflict reports whether a block runs only after a condition about conflicts.
// The condition may be in the callers of the function, up to 5 levels above, if every
// caller has such a condition.
func afterConflict(objects *objectflow.Result, fn *ssa.Function, b *ssa.BasicBlock, depth int) bool {
	for d := b.Idom(); d != nil; d = d.Idom() {
		if len(d.Instrs) == 0 {
			continue
		}
		if cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If); ok && aboutConflict(cond.Cond, 0) {
			return true
		}
	}
	if depth > 4 {
		return false
	}
	callers := objects.Callers(fn)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(up *ssa.Function) bool {
		for _, at := range callBlocks(up, fn) {
			if !afterConflict(objects, up, at, depth+1) {
				return true
			}
		}
		return false
	})
}

// callBlocks returns the blocks of function in that call fn or create a closure of fn.
func callBlocks(in, fn *ssa.Function) []*ssa.BasicBlock {
	var all []*ssa.BasicBlock
	for _, b := range in.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.MakeClosure:
				if instr.Fn == fn {
					all = append(all, b)
				}
			case ssa.CallInstruction:
				if instr.Common().StaticCallee() == fn {
					all = append(all, b)
				}
			}
		}
	}
	return all
}

// aboutConflict reports whether a condition calls a function such as apierrors.IsConflict,
// or compares a value with the reason Conflict.
func aboutConflict(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Call:
		fn := objectflow.Callee(v)
		return fn != nil && strings.Contains(fn.Name(), "onflict")
	case *ssa.UnOp:
		return aboutConflict(v.X, depth+1)
	case *ssa.BinOp:
		return aboutConflict(v.X, depth+1) || aboutConflict(v.Y, depth+1)
	case *ssa.Const:
		return isReason(v)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return aboutConflict(e, depth+1) })
	}
	return false
}

// isReason reports whether a constant is metav1.StatusReasonConflict.
func isReason(c *ssa.Const) bool {
	return c.Value != nil && c.Value.Kind() == constant.String && constant.StringVal(c.Value) == "Conflict"
}

// comparesReason reports whether a function compares a value with the reason Conflict.
func comparesReason(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if op, ok := instr.(*ssa.BinOp); ok && aboutConflict(op, 0) {
				return true
			}
		}
	}
	return false
}
