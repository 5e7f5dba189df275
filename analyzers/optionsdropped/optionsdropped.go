// Package optionsdropped reports writes that do not use the options of the function around
// them. A dry run that the caller asked for then changes objects.
package optionsdropped

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer implements the rule optionsdropped.
var Analyzer = &analysis.Analyzer{
	Name:             "optionsdropped",
	Doc:              scope.Doc("optionsdropped"),
	URL:              scope.URL("optionsdropped"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, dryrun.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	if scope.ForTests(pass) {
		return nil, nil
	}
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	if len(calls.Calls) == 0 || !takesOptions(pass) {
		return nil, nil
	}
	dry := pass.ResultOf[dryrun.Analyzer].(*dryrun.Result)
	for _, c := range calls.Calls {
		if c.Func == nil || c.CallerOptions != nil || !dryrun.RealWrite(c) || dry.Reach(c.Instr, dryrun.Server) != dryrun.Reached || dry.ClientChosen(c.Instr) {
			continue
		}
		opts := options(dry, c.Func)
		if opts == nil || dry.Hidden(c.Func) || !alike(opts.Type(), c) || dry.OptionsNeverSet(c.Func, opts) {
			continue
		}
		if !fits(c, opts) && !hasFields(opts) && usedElsewhere(calls, opts) {
			// The options are for another write of the function. This write, such as one of
			// the status, cannot take them.
			continue
		}
		report(pass, c, opts)
	}
	for _, fn := range calls.SSA() {
		if dry.Hidden(fn) {
			continue
		}
		for _, s := range siblings(pass, calls, fn) {
			if dry.Reach(s.instr, dryrun.Server) == dryrun.Reached && !dry.OptionsNeverSet(fn, s.opts) {
				s.report(pass)
			}
		}
	}
	return nil, nil
}

// takesOptions reports whether a function of the package has a parameter with options of a
// write. It is called first, because it does not need the SSA form.
func takesOptions(pass *analysis.Pass) bool {
	found := false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if fn, ok := n.(*ast.FuncType); ok && !found {
				for _, p := range fn.Params.List {
					t := pass.TypesInfo.TypeOf(p.Type)
					if e, ok := p.Type.(*ast.Ellipsis); ok {
						t = pass.TypesInfo.TypeOf(e.Elt)
					}
					if o := optionsOf(t); o != nil && o.verb != "" {
						found = true
					}
				}
			}
			return !found
		})
	}
	return found
}

// options returns the parameter with options of a write, of fn or of a function around it.
// It returns nil if there is no such parameter, or more than one.
func options(dry *dryrun.Result, fn *ssa.Function) *types.Var {
	var found *types.Var
	for _, src := range dry.Sources(fn) {
		if src.Kind != dryrun.Options {
			continue
		}
		v, ok := src.Object.(*types.Var)
		if !ok || found != nil {
			return nil
		}
		found = v
	}
	return found
}

// alike reports whether options of type t can be passed on to the write c. This is always
// possible for options of metav1. Options of controller-runtime must be for the verb of c or
// for a similar verb.
func alike(t types.Type, c *apicall.Call) bool {
	o := optionsOf(t)
	if o == nil {
		return false
	}
	if !o.runtime {
		return true
	}
	switch o.verb {
	case "Create", "Update", "Apply", "Patch", "SubResourceCreate", "SubResourceUpdate", "SubResourcePatch", "SubResourceApply":
		return c.Verb != apicall.VerbDelete && c.Verb != apicall.VerbDeleteCollection
	case "Delete", "DeleteAllOf":
		return c.Verb == apicall.VerbDelete || c.Verb == apicall.VerbDeleteCollection
	}
	return false
}

func report(pass *analysis.Pass, c *apicall.Call, opts *types.Var) {
	d := analysis.Diagnostic{
		Pos:     c.Pos(),
		End:     c.End(),
		Message: fmt.Sprintf("the write drops the caller's %s, so a dry run %s; %s", opts.Name(), dryrun.Describe(c), advice(c, opts)),
		Related: []analysis.RelatedInformation{{Pos: opts.Pos(), Message: "the caller's options"}},
	}
	if fix := forward(pass, c, opts); fix != nil {
		d.SuggestedFixes = []analysis.SuggestedFix{*fix}
	}
	scope.Report(pass, d)
}
