package dryrun

import (
	"go/types"
	"slices"
	"strings"
)

// methodsOfRunner guesses which methods a function calls that gets a slice of interfaces.
// The function is in a package of the module without facts, because the package does not
// use Kubernetes. It is taken to call the only method that can fail. It returns nil for other
// functions, and for interfaces in which several methods can fail.
func (s *state) methodsOfRunner(obj *types.Func) []string {
	params := obj.Signature().Params()
	for p := range params.Variables() {
		list, ok := p.Type().Underlying().(*types.Slice)
		if !ok {
			continue
		}
		name := s.interfaceName(list.Elem())
		if name == "" || !s.vars.isLocal(obj.Pkg()) || s.usesKubernetes(obj.Pkg(), map[*types.Package]bool{}) {
			continue
		}
		var methods []string
		for m := range list.Elem().Underlying().(*types.Interface).Methods() {
			if canFail(m.Signature()) {
				methods = append(methods, name+"."+m.Name())
			}
		}
		if len(methods) == 1 {
			return methods
		}
	}
	return nil
}

// usesKubernetes reports whether a package of the module imports a Kubernetes library, or
// imports another package of the module that does.
func (s *state) usesKubernetes(pkg *types.Package, seen map[*types.Package]bool) bool {
	seen[pkg] = true
	return slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool {
		path := unvendored(p.Path())
		return strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/") ||
			s.vars.isLocal(p) && !seen[p] && s.usesKubernetes(p, seen)
	})
}

// canFail reports whether a method returns an error, or a list of errors.
func canFail(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		t := v.Type()
		if list, ok := t.Underlying().(*types.Slice); ok {
			t = list.Elem()
		}
		if types.Identical(t, types.Universe.Lookup("error").Type()) {
			return true
		}
	}
	return false
}
