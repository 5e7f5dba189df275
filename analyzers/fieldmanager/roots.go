package fieldmanager

import (
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// roots are the objects from which a client spreads that is built somewhere:
// the function that builds it, what reads the fields and variables that it is
// stored in, the methods of their types, and the callers of functions that
// return it or something that holds it.
func (g *graph) roots(k *apicall.Construction, t *trail) []types.Object {
	var list []types.Object
	returning := map[types.Object]bool{}
	for fn := range t.back {
		returning[g.declares(fn)] = true
	}
	list = append(list, g.holder(k.Pos()))
	for id := range t.places {
		for _, v := range t.loads[id] {
			list = append(list, g.declares(v.Parent()))
		}
	}
	for name := range t.holders {
		if named, ok := name.Type().(*types.Named); ok && name.Pkg() == g.pass.Pkg {
			for m := range named.Methods() {
				list = append(list, m)
			}
		}
	}
	seen := map[types.Object]bool{}
	for i := 0; i < len(list); i++ {
		fn, ok := list[i].(*types.Func)
		if !ok || seen[fn] {
			continue
		}
		seen[fn] = true
		if returning[fn] || holds(fn.Signature().Results(), t.holders) {
			list = append(list, g.users[fn]...)
		}
	}
	return list
}

// declares is the declared function that a function is, or lies in; nil for
// the literals of variables' initial values.
func (g *graph) declares(fn *ssa.Function) types.Object {
	pos := fn.Pos()
	for fn.Parent() != nil {
		fn = fn.Parent()
		if fn.Parent() != nil || fn.Object() != nil {
			pos = fn.Pos()
		}
	}
	if fn.Object() != nil {
		return fn.Object()
	}
	return g.holder(pos)
}

// holds reports whether a result has one of the given types, or points to one.
func holds(results *types.Tuple, holders map[types.Object]bool) bool {
	for v := range results.Variables() {
		if name := typeName(v.Type()); name != nil && holders[name] {
			return true
		}
	}
	return false
}
