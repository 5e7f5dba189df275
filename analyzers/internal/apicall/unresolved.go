package apicall

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Unresolved is a call that looks like a write but was not understood. It can also be the
// use of such a function as a value.
type Unresolved struct {
	Pos token.Pos
	// Name is the name of the function, such as "(client.Writer).Update".
	Name string
}

// addUnresolved adds a function that is not understood.
func (r *Result) addUnresolved(pos token.Pos, fn *types.Func) {
	r.Unresolved = append(r.Unresolved, Unresolved{pos, functionName(fn)})
}

// dropValue removes the last use of fn as a value. The call of the value is understood.
func (r *Result) dropValue(fn *types.Func) {
	name := functionName(fn)
	for i, u := range slices.Backward(r.Unresolved) {
		if u.Name == name {
			r.Unresolved = slices.Delete(r.Unresolved, i, i+1)
			return
		}
	}
}

// functionName returns the name of a function as code in another package writes it.
func functionName(fn *types.Func) string {
	qualify := func(pkg *types.Package) string { return pkg.Name() }
	if recv := fn.Signature().Recv(); recv != nil {
		name, _, _ := strings.Cut(types.TypeString(recv.Type(), qualify), "[") // without type parameters
		return "(" + name + ")." + fn.Name()
	}
	if fn.Pkg() == nil {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

// allWrites returns the uses of the functions that scan counts as writes.
func (p *program) allWrites() []Unresolved {
	r := new(Result)
	for id, object := range p.pass.TypesInfo.Uses {
		fn, _ := object.(*types.Func)
		if v, ok := object.(*types.Var); ok {
			fn = p.aliasTarget(v)
		}
		var found scanned
		if p.count(&found, fn); found.writes > 0 {
			r.addUnresolved(id.Pos(), fn)
		}
	}
	slices.SortFunc(r.Unresolved, func(a, b Unresolved) int { return comparePlaces(p.pass.Fset, a.Pos, b.Pos) })
	return r.Unresolved
}

// calledPlace returns the position and the name of the function in a call.
func calledPlace(e *ast.CallExpr) Unresolved {
	if name := CalledName(e); name != nil {
		return Unresolved{name.Pos(), name.Name}
	}
	return Unresolved{e.Lparen, "function value"}
}

// wholePackage returns the place of the package clause.
func (p *program) wholePackage() Unresolved {
	name := p.pass.Files[0].Name
	return Unresolved{name.Pos(), "package " + name.Name}
}
