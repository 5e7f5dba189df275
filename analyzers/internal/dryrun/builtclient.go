package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// buildsClient is the fact about a function that returns a client for dry runs. The client
// wraps a real client, and changes nothing in at least one of its methods.
type buildsClient struct {
	// Type is the name of the client's type.
	Type string
	// Real holds the methods that are still those of the real client.
	Real []string
}

// AFact marks buildsClient as a fact.
func (*buildsClient) AFact() {}

// String returns the text of the fact in tests.
func (b *buildsClient) String() string {
	return "builds a client with real " + strings.Join(b.Real, ", ")
}

// exportBuiltClient exports the fact buildsClient about fn.
func (s *state) exportBuiltClient(fn *ssa.Function, obj *types.Func) {
	results := obj.Signature().Results()
	if results.Len() == 0 || !isClient(results.At(0).Type()) {
		return
	}
	iface := results.At(0).Type().Underlying().(*types.Interface)
	var made *ssa.MakeInterface
	for _, v := range returned(fn) {
		if c, ok := v.(*ssa.Const); ok && c.IsNil() {
			continue
		}
		m, ok := v.(*ssa.MakeInterface)
		if !ok || made != nil {
			return
		}
		made = m
	}
	if made == nil || namedOf(made.X.Type()) == nil {
		return
	}
	fact := buildsClient{Type: namedOf(made.X.Type()).Obj().Name()}
	quiet := false
	for m := range iface.Methods() {
		switch {
		case s.forwards(made, m) || s.inheritsMethod(made, m, iface, Client):
			fact.Real = append(fact.Real, m.Name())
		case slices.Contains([]string{"Create", "Update", "Patch", "Delete"}, m.Name()):
			quiet = quiet || s.declaresQuietly(made, m)
		}
	}
	if quiet && len(fact.Real) > 0 {
		s.pass.ExportObjectFact(obj, &fact)
	}
}

// declaresQuietly reports whether the type of v declares a method that writes nothing.
func (s *state) declaresQuietly(v *ssa.MakeInterface, method *types.Func) bool {
	obj, _, _ := types.LookupFieldOrMethod(v.X.Type(), true, s.pass.Pkg, method.Name())
	own, ok := obj.(*types.Func)
	if !ok || s.byObject[own.Origin()] == nil {
		return false
	}
	return !s.writesSomehow(s.byObject[own.Origin()], 0)
}

// builtClient returns the fact buildsClient about the function that v is the result of.
func (s *state) builtClient(v ssa.Value) (fact buildsClient, ok bool) {
	if call, isCall := v.(*ssa.Call); isCall {
		if obj := calleeObject(call.Common()); obj != nil && obj.Pkg() != s.pass.Pkg && s.vars.isLocal(obj.Pkg()) {
			ok = s.pass.ImportObjectFact(obj.Origin(), &fact)
		}
	}
	return fact, ok
}
