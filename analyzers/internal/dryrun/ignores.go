package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// mayRespect reports whether a call of fn passes the dry run to fn, and fn may check
// it.
func (s *state) mayRespect(call ssa.CallInstruction, fn *ssa.Function, m Mode) bool {
	return s.passesDryRun(call, m) && !s.ignores(call, fn, m)
}

// ignores reports whether fn ignores every argument through which a call passes the dry
// run:
//
//   - If the argument is the dry run itself, fn does not use the parameter.
//   - If the argument is a receiver that the dry run has changed, fn only uses fields that
//     do not depend on the dry run.
//   - If the argument is a struct or a context that holds the dry run, fn never checks
//     the dry run in it.
func (s *state) ignores(call ssa.CallInstruction, fn *ssa.Function, m Mode) bool {
	f := s.flow(call.Parent(), m)
	if f == nil {
		return false
	}
	params := fn.Params
	if call.Common().IsInvoke() {
		params = params[1:]
	}
	for i, a := range call.Common().Args {
		if !f.derived(a, 0) {
			continue
		}
		if i >= len(params) {
			return false
		}
		p := params[i]
		switch {
		case len(*p.Referrers()) == 0:
		case isContext(p.Type()):
			if !s.readsContext() || !s.onlyPassedOn(p, 0) {
				return false
			}
		case i == 0 && fn.Signature.Recv() != nil && s.vars.fieldOf(p.Type()) == nil && s.usesOtherFields(p, m, 0):
		case s.vars.fieldOf(p.Type()) == nil || s.holdsChosenClient(a, m) || s.mayCheck(fn, map[*ssa.Function]bool{}):
			return false
		}
	}
	return true
}

// holdsChosenClient reports whether a struct literal that holds the dry run also holds
// a client that the dry run decides. Then no other code needs to check the dry run. The
// result is also true if v is not a struct literal.
func (s *state) holdsChosenClient(v ssa.Value, m Mode) bool {
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	a, ok := v.(*ssa.Alloc)
	return !ok || slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool {
		field, ok := r.(*ssa.FieldAddr)
		return ok && slices.ContainsFunc(*field.Referrers(), func(use ssa.Instruction) bool {
			store, ok := use.(*ssa.Store)
			return ok && s.chosen(store.Val, m, map[ssa.Value]bool{}, 0)
		})
	})
}

func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Context" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context"
}

// readsContext reports whether the package calls a function such as isDryRun(ctx),
// which reads the dry run from a context.
func (s *state) readsContext() bool {
	return slices.ContainsFunc(s.funcs, func(fn *ssa.Function) bool {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok || !slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return isContext(a.Type()) }) {
					continue
				}
				if ok, _ := predicateName(calleeNameOnly(call.Common())); ok && shapeOf(call.Type()) == Bool {
					return true
				}
			}
		}
		return false
	})
}

// onlyPassedOn reports whether a context is only an argument of clients, of loggers,
// and of functions of the package that also only pass it on.
func (s *state) onlyPassedOn(ctx ssa.Value, depth int) bool {
	if depth > maxDepth {
		return false
	}
	for _, r := range *ctx.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		call, ok := r.(ssa.CallInstruction)
		if !ok {
			return false
		}
		common := call.Common()
		if body := s.body(common); body != nil {
			for i, a := range common.Args {
				if a == ctx && !s.onlyPassedOn(body.Params[i], depth+1) {
					return false
				}
			}
			continue
		}
		if s.calls.CallAt(call) == nil && !isLog(common) {
			return false
		}
	}
	return true
}

// isLog reports whether a call calls a logging library.
func isLog(common *ssa.CallCommon) bool {
	_, pkg := calleeName(common)
	pkg = unvendored(pkg)
	return pkg == "log/slog" || strings.HasPrefix(pkg, "k8s.io/klog") || pkg == "sigs.k8s.io/controller-runtime/pkg/log"
}

// ignoredBehindInterface returns the write of a call of an interface's method, if the
// call passes the dry run and a type that implements the interface ignores it.
func (s *state) ignoredBehindInterface(call ssa.CallInstruction, m Mode) []*Write {
	common := call.Common()
	if !common.IsInvoke() {
		return nil
	}
	name := s.interfaceName(common.Value.Type())
	if name == "" || !slices.ContainsFunc(common.Args, func(a ssa.Value) bool { return s.vars.fieldOf(a.Type()) != nil && !s.holdsChosenClient(a, m) }) ||
		!s.passesDryRun(call, m) || s.reach(call, m) != Reached || s.clientChosen(call, m) {
		return nil
	}
	var list []convertedType
	for pkg := range s.returners(common.Value, name) {
		var fact conversions
		if s.pass.ImportPackageFact(pkg, &fact) {
			list = append(list, fact.Types...)
		}
	}
	for _, t := range list {
		for _, w := range t.Writes {
			if t.Interface == name && w.Name == common.Method.Name() && w.Ignores {
				return []*Write{{Func: call.Parent(), Text: w.Text, Callee: common.Method, Pos: call.Pos(), IgnoredBy: shortType(t.Type), instr: call}}
			}
		}
	}
	return nil
}

// returners returns the other packages whose functions returned v. The type of v is the
// interface called name. If v may have another origin, returners returns all other
// packages with a called function that returns this interface.
func (s *state) returners(v ssa.Value, name string) map[*types.Package]bool {
	packages := map[*types.Package]bool{}
	if !s.addReturners(v, packages, 0) {
		return s.packagesReturning(name)
	}
	return packages
}

// addReturners adds the packages whose functions returned v. It returns false if v may
// have another origin.
func (s *state) addReturners(v ssa.Value, packages map[*types.Package]bool, depth int) bool {
	if depth > maxOrigin {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Extract:
		return s.addReturners(v.Tuple, packages, depth+1)
	case *ssa.ChangeInterface:
		return s.addReturners(v.X, packages, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !s.addReturners(e, packages, depth+1) {
				return false
			}
		}
		return true
	case *ssa.Call:
		obj := calleeObject(v.Common())
		if obj == nil || obj.Pkg() == nil || obj.Pkg() == s.pass.Pkg {
			return false
		}
		packages[obj.Pkg()] = true
		return true
	}
	return false
}

// shortType returns the name of a type with only the last part of its package's path.
func shortType(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}
