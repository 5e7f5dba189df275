package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// WriteOf describes what a function of another package of the module writes even in a dry
// run, such as "creates a Pod". It returns "" if no write is known.
func (r *Result) WriteOf(fn *types.Func) string {
	if fn.Pkg() == r.state.pass.Pkg || !r.InModule(fn.Pkg()) {
		return ""
	}
	var fact writer
	r.state.pass.ImportObjectFact(fn.Origin(), &fact)
	return fact.Text
}

// InModule reports whether a package belongs to the module of the analyzed package. It
// guesses from the import paths if the driver does not know the module.
func (r *Result) InModule(p *types.Package) bool {
	switch m := r.state.pass.Module; {
	case p == nil:
		return false
	case m == nil || m.Path == "":
		return sameModule(p.Path(), r.state.pass.Pkg.Path())
	default:
		return p.Path() == m.Path || strings.HasPrefix(p.Path(), m.Path+"/")
	}
}

// UsesWriters reports whether the package uses functions of the module that write.
func (r *Result) UsesWriters() bool { return r.state.names.writers }

// Stored returns the functions of the package that a call of a function value may run. The
// value is read from a field, it is an element of a map or a slice, or callers in the
// package pass it. Stored returns nil for other calls.
func (r *Result) Stored(call ssa.CallInstruction) (found []*ssa.Function) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state
	slot := slotOf(call.Common().Value)
	switch {
	case s.analyzed == nil || call.Common().IsInvoke():
		return nil
	case slot == nil:
		return s.passedFunctions(call.Common().Value)
	}
	for _, fn := range s.funcs {
		if slices.Contains(s.keptIn[fn], slot) && !s.inTest(fn) {
			found = append(found, fn)
		}
	}
	return found
}
