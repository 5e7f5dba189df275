// Package storagedryrun reports the storage of an aggregated API if it stores
// objects and does not check whether the options of the request ask for a dry
// run.
package storagedryrun

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/analyzers/internal/sideeffect"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer implements the rule storagedryrun.
var Analyzer = &analysis.Analyzer{
	Name:             "storagedryrun",
	Doc:              scope.Doc("storagedryrun"),
	URL:              scope.URL("storagedryrun"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, dryrun.Analyzer, sideeffect.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	if !declaresStorage(pass) {
		return nil, nil // then the SSA form is not needed
	}
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	dry := pass.ResultOf[dryrun.Analyzer].(*dryrun.Result)
	effects := pass.ResultOf[sideeffect.Analyzer].(*sideeffect.Result)
	dry.Need()
	for _, fn := range calls.SSA() {
		if m := methodOf(fn); m != nil && !scope.Of(pass).Skipped(fn.Pos()) {
			m.check(pass, effects, dry, calls)
		}
	}
	return nil, nil
}

// declaresStorage reports whether a package declares a method of storage.
func declaresStorage(pass *analysis.Pass) bool {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.FuncDecl)
			if !ok || decl.Recv == nil || decl.Body == nil {
				continue
			}
			if fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
				if _, ok := shapeOf(fn); ok {
					return true
				}
			}
		}
	}
	return false
}

// check reports the method if it stores data in a dry run.
func (m *method) check(pass *analysis.Pass, find *sideeffect.Result, dry *dryrun.Result, calls *apicall.Result) {
	usage := m.usage()
	looks := usage == readsDryRun || dry.Checks(m.fn)
	search := sideeffect.Search{Skip: never, Persists: m.persists, Classify: m.classify}
	if looks {
		search = sideeffect.Search{Classify: m.classify}
	}
	asks := m.asking()
	effects := slices.DeleteFunc(append(find.From(m.fn, search), sideeffect.Elsewhere(dry, m.fn)...), func(e *sideeffect.Effect) bool {
		return looks && (givesOptions(e.Instr) || !find.Unasked(e, asks)) && !m.ownOptions(e.Instr)
	})
	besides := false
	if looks && !slices.ContainsFunc(effects, func(e *sideeffect.Effect) bool { return m.ownOptions(e.Instr) }) {
		if others, ok := m.besides(find, dry, calls); ok {
			effects, besides = others, true
		}
	}
	effects = slices.DeleteFunc(effects, func(e *sideeffect.Effect) bool {
		return scope.Of(pass).Silent(pass.Analyzer.Name, e.Pos)
	})
	if len(effects) == 0 {
		return
	}
	name := m.fn.Object().Name()
	first := m.foremost(effects)
	text := first.Text
	if len(first.Via) > 0 && !strings.HasSuffix(text, ")") {
		text += " (in " + outermost(first.Func).Object().Name() + ")"
	}
	ignored := name + " ignores its options, so a dry run " + text
	switch {
	case besides:
		ignored = name + " passes its options on, but a dry run " + text + " without them"
	case looks && m.ownOptions(first.Instr):
		ignored = name + " replaces its options, so a dry run " + text
	case looks:
		ignored = name + " checks the DryRun of its options too late, so a dry run " + text
	case usage == partly:
		ignored = name + " ignores the DryRun of its options, so a dry run " + text
	}
	d := analysis.Diagnostic{
		Pos: m.fn.Object().Pos(), End: m.fn.Object().Pos() + token.Pos(len(name)),
		Message: fmt.Sprintf("%s; %s", ignored, m.fixText(first, besides)),
	}
	for _, e := range effects {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: e.Pos, End: e.End, Message: e.Text})
	}
	scope.Report(pass, d)
}

// never skips no effect.
func never(ssa.Instruction) bool { return false }

// foremost returns the effect for the message. It prefers an effect whose verb is in the
// method's name, and then an effect in the method itself.
func (m *method) foremost(effects []*sideeffect.Effect) *sideeffect.Effect {
	name := m.fn.Object().Name()
	rank := func(e *sideeffect.Effect) (r int) {
		if e.Call == nil && !strings.Contains(e.Text, "."+name) || e.Call != nil && !strings.HasPrefix(e.Text, strings.ToLower(name)) {
			r = 2
		}
		if len(e.Via) > 0 {
			r++
		}
		return r
	}
	return slices.MinFunc(effects, func(a, b *sideeffect.Effect) int { return rank(a) - rank(b) })
}

// persists reports whether a write in a method that does not read its options can change
// data in a dry run. A called function may write with its own options parameter, which the
// method's options do not reach. Unlike dryrun.RealWrite, persists ignores that parameter.
func (m *method) persists(c *apicall.Call) bool {
	if c.CallerOptions != nil && c.Func != nil && outermost(c.Func) != m.fn {
		return sideeffect.Stores(c)
	}
	return dryrun.RealWrite(c)
}

// fixText returns the part of the message that says how to fix an effect.
func (m *method) fixText(e *sideeffect.Effect, besides bool) string {
	named := m.options.Name() != "" && m.options.Name() != "_"
	switch {
	case besides:
		return fmt.Sprintf("skip that when dryrun.IsDryRun(%s.DryRun)", m.options.Name())
	case e.Call != nil || takesOptions(e.Instr.Common().Signature()):
		if named {
			return "pass " + m.options.Name() + " on"
		}
		return "pass them on"
	case named:
		return fmt.Sprintf("return the object first when dryrun.IsDryRun(%s.DryRun)", m.options.Name())
	}
	return "return the object first when dryrun.IsDryRun says so"
}

// takesOptions reports whether a function has a parameter for options.
func takesOptions(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		if apicall.IsOptions(p.Type()) {
			return true
		}
	}
	return false
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}
