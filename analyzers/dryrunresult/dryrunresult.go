// Package dryrunresult implements the rule dryrunresult: use of a UID, resource version or
// generated name that a dry run returned. No stored object has these values.
package dryrunresult

import (
	"fmt"
	"go/ast"
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

// Analyzer reports code that keeps a UID, resource version or generated name which a
// dry-run create returned. The code stores the value in a reference, in a request, or
// in a variable that outlives the function.
var Analyzer = &analysis.Analyzer{
	Name:             "dryrunresult",
	Doc:              scope.Doc("dryrunresult"),
	URL:              scope.URL("dryrunresult"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, objectflow.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	var reads []objectflow.Read
	for _, c := range calls.Calls {
		if c.Verb == apicall.VerbCreate && c.Subresource == "" && isDryRun(c) {
			if w, ok := objectflow.Response(c); ok {
				reads = append(reads, w)
			}
		}
	}
	if len(reads) == 0 {
		return nil, nil
	}
	objects := pass.ResultOf[objectflow.Analyzer].(*objectflow.Result)
	reported := map[token.Pos]bool{}
	var found []analysis.Diagnostic
	objects.Ask(objectflow.Question{
		Reads: reads,
		Visit: func(r objectflow.Read, instr ssa.Instruction, holds func(ssa.Value) bool) {
			c := calls.CallAt(r.Call)
			u, ok := usedIn(instr, holds)
			if !ok || u.what == "name" && !generates(c) || onlyInDryRuns(calls, c, u) || reported[u.pos] {
				return
			}
			reported[u.pos] = true
			pos, end := u.pos, token.NoPos
			e := exprAt(pass, u.pos)
			if e != nil {
				pos, end = e.Pos(), e.End()
			}
			found = append(found, analysis.Diagnostic{
				Pos: pos, End: end,
				Message: fmt.Sprintf("%s comes from the dry run in line %d, which stores nothing, so no object has this %s; %s",
					u.text(e), pass.Fset.PositionFor(c.Pos(), true).Line, u.what, u.fixText()),
				Related: []analysis.RelatedInformation{{Pos: c.Pos(), End: c.End(), Message: "the dry run"}},
			})
		},
	})
	slices.SortFunc(found, func(a, b analysis.Diagnostic) int { return int(a.Pos - b.Pos) })
	for _, d := range found {
		scope.Report(pass, d)
	}
	return nil, nil
}

// isDryRun reports whether a write is certainly a dry run.
func isDryRun(c *apicall.Call) bool {
	d := c.DryRun
	return d.State == apicall.Set && !d.Sometimes && slices.Contains(d.Elements, "All") && !c.Fake
}

// onlyInDryRuns reports whether the use is a reference, and all other writes of the
// function are dry runs. The server then never stores the wrong reference.
func onlyInDryRuns(calls *apicall.Result, c *apicall.Call, u use) bool {
	if !u.reference {
		return false
	}
	others := false
	for _, other := range calls.Calls {
		if other == c || other.Func != c.Func {
			continue
		}
		if !isDryRun(other) {
			return false
		}
		others = true
	}
	return others || c.DryRun.By == apicall.ClientOptions
}

// generates reports whether a create has a generateName and no name. The server then
// chooses the name of the object.
func generates(c *apicall.Call) bool {
	object := objectflow.Object(c)
	for {
		switch v := object.(type) {
		case *ssa.MakeInterface:
			object = v.X
			continue
		case *ssa.ChangeInterface:
			object = v.X
			continue
		}
		break
	}
	alloc, ok := object.(*ssa.Alloc)
	if !ok {
		return false
	}
	generated, named := false, false
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		for _, use := range *v.Referrers() {
			switch use := use.(type) {
			case *ssa.FieldAddr:
				switch field(use) {
				case "ObjectMeta":
					visit(use)
					if literal := copied(use); literal != nil {
						visit(literal)
					}
				case "GenerateName":
					generated = generated || stored(use)
				case "Name":
					named = named || stored(use)
				}
			case *ssa.Call:
				if fn := objectflow.Callee(use); fn != nil && objectflow.Receiver(use) == v {
					generated = generated || fn.Name() == "SetGenerateName"
					named = named || fn.Name() == "SetName"
				}
			}
		}
	}
	visit(alloc)
	return generated && !named
}

// copied returns the variable whose value is stored at addr, such as the variable of a
// composite literal; nil if there is none.
func copied(addr ssa.Value) ssa.Value {
	for _, use := range *addr.Referrers() {
		if s, ok := use.(*ssa.Store); ok && s.Addr == addr {
			if load, ok := s.Val.(*ssa.UnOp); ok && load.Op == token.MUL {
				if a, ok := load.X.(*ssa.Alloc); ok {
					return a
				}
			}
		}
	}
	return nil
}

func stored(addr ssa.Value) bool {
	for _, use := range *addr.Referrers() {
		if s, ok := use.(*ssa.Store); ok && s.Addr == addr {
			return true
		}
	}
	return false
}

// exprAt returns the selector or call expression for the position of an SSA
// instruction; nil if there is none.
func exprAt(pass *analysis.Pass, pos token.Pos) (found ast.Expr) {
	for _, file := range pass.Files {
		if pos < file.FileStart || pos > file.FileEnd {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if n.Sel.Pos() == pos {
					found = n
				}
			case *ast.CallExpr:
				if n.Lparen == pos {
					found = n
				}
			}
			return n != nil && n.Pos() <= pos && pos <= n.End()
		})
	}
	return found
}

// text returns the source text of the value, or a description if the value has no source
// text.
func (u use) text(e ast.Expr) string {
	if u.expr != "" {
		return u.expr
	}
	if e == nil {
		return "this " + u.what
	}
	return types.ExprString(e)
}

// fixText returns the part of the message that says how to fix the finding.
func (u use) fixText() string {
	if u.reference {
		return "refer to the object that the real create returns"
	}
	return "take it from the answer to the real create"
}
