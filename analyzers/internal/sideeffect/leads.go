package sideeffect

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// leads returns the methods of interfaces of the module that a function calls even in a dry
// run, directly or through other functions. Their names are as in
// example.org/shop/store.Store.Put.
func (r *Result) leads(fn *ssa.Function) []string {
	if got, known := r.leading[fn]; known {
		return got // nil during the search, which then found a recursion
	}
	r.leading[fn] = nil
	var got []string
	add := func(methods ...string) {
		for _, m := range methods {
			if len(got) < maxLeads && !slices.Contains(got, m) {
				got = append(got, m)
			}
		}
	}
	asked := r.dry.Checks(fn)
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(ssa.CallInstruction)
			if !ok || !r.runs(i) || asked && !r.unaskedAt(i, nil) {
				continue
			}
			add(r.leadsAt(call)...)
			if callee := Callee(call, fn); callee != nil {
				add(r.leads(callee)...)
			}
			for _, arg := range call.Common().Args {
				if callee := function(arg, fn); callee != nil {
					add(r.leads(callee)...)
				}
			}
		}
	}
	slices.Sort(got)
	r.leading[fn] = got
	return got
}

// leadsAt returns the methods of interfaces that a call runs, directly or in functions of
// other packages of the module.
func (r *Result) leadsAt(i ssa.CallInstruction) []string {
	common := i.Common()
	if common.IsInvoke() {
		if name := r.interfaceName(common.Value.Type()); name != "" && common.Method.Exported() {
			return []string{name + "." + common.Method.Name()}
		}
		return nil
	}
	callee := Method(i)
	if callee == nil || callee.Pkg() == r.pass.Pkg || !r.dry.InModule(callee.Pkg()) {
		return nil
	}
	var fact leading
	r.pass.ImportObjectFact(callee.Origin(), &fact)
	return fact.Methods
}
