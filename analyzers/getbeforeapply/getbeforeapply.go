// Package getbeforeapply implements the rule getbeforeapply: a read of an object that is
// applied afterwards. Server-side apply makes the read unnecessary.
package getbeforeapply

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/objectflow"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer reports an apply of an object that was read. It also reports a read that only
// decides between create and apply.
var Analyzer = &analysis.Analyzer{
	Name:             "getbeforeapply",
	Doc:              scope.Doc("getbeforeapply"),
	URL:              scope.URL("getbeforeapply"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, objectflow.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	sinks := map[ssa.CallInstruction]ssa.Value{}
	var applies []*apicall.Call
	for _, c := range calls.Calls {
		if body := objectflow.Applied(c); body != nil {
			sinks[c.Instr] = body
			applies = append(applies, c)
		}
	}
	if len(applies) == 0 {
		return nil, nil
	}
	objects := pass.ResultOf[objectflow.Analyzer].(*objectflow.Result)
	var reads []objectflow.Read
	for _, r := range objects.Reads() {
		if r.Kind != objectflow.List {
			reads = append(reads, r)
		}
	}
	found := append(appliesOfReads(pass, calls, objects, reads, sinks), unusedReads(pass, calls, objects, reads, applies)...)
	slices.SortStableFunc(found, func(a, b analysis.Diagnostic) int { return int(a.Pos - b.Pos) })
	for _, d := range found {
		scope.Report(pass, d)
	}
	return nil, nil
}

// appliesOfReads returns a finding for each apply of an object that was read. It skips
// objects that still have managedFields: servers refuse such applies, and the rule
// applylive reports them.
func appliesOfReads(pass *analysis.Pass, calls *apicall.Result, objects *objectflow.Result, reads []objectflow.Read, sinks map[ssa.CallInstruction]ssa.Value) []analysis.Diagnostic {
	seen := map[ssa.CallInstruction]bool{}
	for _, a := range objects.Ask(objectflow.Question{Reads: reads, Sinks: sinks, Cleared: true}) {
		seen[a.Sink] = true
	}
	var found []analysis.Diagnostic
	for _, a := range objects.Ask(objectflow.Question{Reads: reads, Sinks: sinks}) {
		if seen[a.Sink] {
			continue
		}
		seen[a.Sink] = true
		c := calls.CallAt(a.Sink)
		found = append(found, analysis.Diagnostic{
			Pos: c.Pos(), End: c.End(),
			Message: fmt.Sprintf("this apply sends %s, which was read before, and so takes over every field in it; build a fresh object with only the fields you own, without reading",
				objectflow.Text(c.Object)),
			Related: []analysis.RelatedInformation{{Pos: a.Read.Call.Pos(), Message: "the read"}},
		})
	}
	return found
}

// unusedReads returns a finding for each read whose result no code uses, if the code
// does both of these:
//
//   - If the read finds the object, the code applies an object of the same kind.
//   - If the read does not find the object, the code creates or applies an object of
//     the kind.
func unusedReads(pass *analysis.Pass, calls *apicall.Result, objects *objectflow.Result, reads []objectflow.Read, applies []*apicall.Call) []analysis.Diagnostic {
	var found []analysis.Diagnostic
	for _, r := range reads {
		kind := kindOf(r)
		if kind == nil || isUsed(r) {
			continue
		}
		for _, c := range applies {
			if c.Func != r.Call.Parent() || !writesKind(kind, c) || differentNames(r, c) ||
				!objects.Leads(r.Call, objectflow.Found, c.Instr) {
				continue
			}
			if !objects.Leads(r.Call, objectflow.Missing, c.Instr) && !createsAfterMiss(calls, objects, r, kind) {
				continue
			}
			pos, end := r.Call.Pos(), token.NoPos
			if e := objects.Expr(r.Call); e != nil {
				pos, end = e.Fun.Pos(), e.Fun.End()
			}
			found = append(found, analysis.Diagnostic{
				Pos: pos, End: end,
				Message: fmt.Sprintf("this read only decides how the %s is written in line %d, and apply creates or changes it by itself; leave the read out",
					kind.Obj().Name(), pass.Fset.PositionFor(c.Pos(), true).Line),
				Related: []analysis.RelatedInformation{{Pos: c.Pos(), End: c.End(), Message: "the apply"}},
			})
			break
		}
	}
	return found
}

// createsAfterMiss reports whether the code creates an object of the kind if the read r
// has not found the object.
func createsAfterMiss(calls *apicall.Result, objects *objectflow.Result, r objectflow.Read, kind *types.Named) bool {
	return slices.ContainsFunc(calls.Calls, func(c *apicall.Call) bool {
		return c.Verb == apicall.VerbCreate && c.Instr != nil && c.Func == r.Call.Parent() && writesKind(kind, c) &&
			objects.Leads(r.Call, objectflow.Missing, c.Instr)
	})
}

// kindOf returns the Go type of the object that a call reads. It returns nil for types
// that can hold objects of several kinds, such as Unstructured.
func kindOf(r objectflow.Read) *types.Named {
	var t types.Type
	if r.Into != nil {
		t = withoutInterfaces(r.Into).Type()
	} else {
		t = r.Call.Common().Signature().Results().At(r.Result).Type()
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || types.IsInterface(n) || n.Obj().Name() == "Unstructured" || n.Obj().Name() == "PartialObjectMetadata" {
		return nil
	}
	return n
}

// writesKind reports whether a write is about an object of the kind.
func writesKind(kind *types.Named, c *apicall.Call) bool {
	if c.GVK.Kind != "" {
		return c.GVK.Kind == kind.Obj().Name()
	}
	n, ok := types.Unalias(c.ObjectType).(*types.Named)
	return ok && n.Obj() == kind.Obj()
}

// withoutInterfaces returns a value without its conversions to interfaces.
func withoutInterfaces(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return v
		}
	}
}

// isUsed reports whether code uses the object that was read.
func isUsed(r objectflow.Read) bool {
	if r.Into == nil {
		v := r.Call.Value()
		if v == nil {
			return false
		}
		for _, use := range *v.Referrers() {
			if e, ok := use.(*ssa.Extract); ok && e.Index == r.Result && len(*e.Referrers()) > 0 {
				return true
			}
		}
		return false
	}
	alloc, ok := withoutInterfaces(r.Into).(*ssa.Alloc)
	if !ok {
		return true
	}
	return usedBesides(alloc, r.Call)
}

// usedBesides reports whether code uses a value elsewhere than in the call filled and
// in stores to fields of the value.
func usedBesides(v ssa.Value, filled ssa.CallInstruction) bool {
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case *ssa.MakeInterface:
			if usedBesides(use, filled) {
				return true
			}
		case *ssa.DebugRef:
		case ssa.CallInstruction:
			if use != filled {
				return true
			}
		case *ssa.FieldAddr:
			for _, r := range *use.Referrers() {
				if s, ok := r.(*ssa.Store); !ok || s.Addr != use {
					return true
				}
			}
		case *ssa.Store:
			if use.Addr != v {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// differentNames reports whether the read and the apply use two different constant
// names.
func differentNames(r objectflow.Read, c *apicall.Call) bool {
	args := objectflow.Args(r.Call)
	if r.Into != nil || len(args) < 2 || len(c.Args) < 2 {
		return false
	}
	a, ok := args[1].(*ssa.Const)
	if !ok {
		return false
	}
	b, ok := c.Args[1].(*ssa.Const)
	return ok && a.Value != nil && b.Value != nil && a.Value.ExactString() != b.Value.ExactString()
}
