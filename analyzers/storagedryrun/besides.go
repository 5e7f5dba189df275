package storagedryrun

import (
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/sideeffect"
	"golang.org/x/tools/go/ssa"
)

// besides returns the changes that a method makes without its options, although
// it passes the options to other storage. The other storage returns nothing
// about the dry run, so these changes cannot depend on the dry run.
//
// The second result is false if the method may check for the dry run.
func (m *method) besides(find *sideeffect.Result, dry *dryrun.Result, calls *apicall.Result) ([]*sideeffect.Effect, bool) {
	given, helpers, only := m.handsOn(find, calls)
	if !only || len(given) == 0 || dry.Checks(m.fn) {
		return nil, false
	}
	search := sideeffect.Search{Classify: m.classify, Skip: func(i ssa.Instruction) bool {
		return given[i] || dry.Reach(i, dryrun.Server) != dryrun.Reached
	}}
	var effects []*sideeffect.Effect
	for _, e := range append(find.From(m.fn, search), sideeffect.Elsewhere(dry, m.fn)...) {
		switch {
		case given[e.Outer()]:
		case e.Call != nil && (len(e.Via) == 0 || helpers[outermost(e.Func)]):
			// The rule optionsdropped reports such a write.
		case e.Call == nil && givesOptions(e.Instr):
		default:
			effects = append(effects, e)
		}
	}
	return effects, true
}

// handsOn returns the calls of other storage and of clients that get a method's
// options, or the field DryRun of these options. helpers are the functions of
// the package that get the options on the way. only is true if the method and
// the helpers use the options for nothing else. A comparison with nil, and a
// read of another field, do not count as a use.
func (m *method) handsOn(find *sideeffect.Result, calls *apicall.Result) (given map[ssa.Instruction]bool, helpers map[*ssa.Function]bool, only bool) {
	given, helpers, only = map[ssa.Instruction]bool{}, map[*ssa.Function]bool{}, true
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		refs := v.Referrers()
		if seen[v] {
			return
		}
		seen[v] = true
		if refs == nil {
			only = false
			return
		}
		for _, r := range *refs {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp:
			case *ssa.Phi:
				visit(r)
			case *ssa.FieldAddr:
				if isStored(r) {
					break
				}
				if fieldName(r) == "Raw" {
					only = false
				} else if field(r.X.Type(), r.Field) == readsDryRun {
					// The code may only put DryRun into other options.
					for _, options := range copies(r) {
						if options == nil {
							only = false
						} else {
							visit(options)
						}
					}
				}
			case *ssa.UnOp:
				visit(r)
			case *ssa.MakeInterface:
				visit(r)
			case *ssa.Slice:
				visit(r)
			case *ssa.IndexAddr:
				only = only && isStored(r)
			case *ssa.Store:
				if cell := container(r); cell != nil && (r.Val == v || cell == v) {
					visit(cell)
				} else {
					only = false
				}
			case ssa.CallInstruction:
				stores := calls.CallAt(r) != nil || m.isStorage(r, v)
				helper, args := helperOf(find, r)
				if stores || helper == nil || len(helper.Params) != len(args) {
					given[r], only = true, only && stores
					break
				}
				helpers[helper] = true
				for i, arg := range args {
					if arg == v {
						visit(helper.Params[i])
					}
				}
			default:
				only = false
			}
		}
	}
	visit(m.options)
	return given, helpers, only
}

// helperOf returns the function of the package that a call runs, and the arguments for its
// parameters. The function is nil if it is not known.
func helperOf(find *sideeffect.Result, i ssa.CallInstruction) (*ssa.Function, []ssa.Value) {
	common := i.Common()
	if !common.IsInvoke() {
		return sideeffect.Callee(i, i.Parent()), common.Args
	}
	return find.Implementation(common.Value.Type(), common.Method), append([]ssa.Value{common.Value}, common.Args...)
}

// container returns the local variable that holds options after the store s. The store may
// also set the variable's field Raw, or an element of a call's variadic arguments. Raw counts
// although the client overwrites the dry run in it: the rule optionsdropped reports that
// write, and one report is enough. container returns nil if other code can see the variable.
func container(s *ssa.Store) *ssa.Alloc {
	addr := s.Addr
	switch in := addr.(type) {
	case *ssa.FieldAddr:
		if fieldName(in) != "Raw" || !apicall.IsOptions(in.X.Type()) {
			return nil
		}
		addr = in.X
	case *ssa.IndexAddr:
		addr = in.X
	}
	cell, _ := addr.(*ssa.Alloc)
	return cell
}

// isStored reports whether a field or an element is only written, never read.
func isStored(f ssa.Value) bool {
	for _, r := range *f.Referrers() {
		if s, ok := r.(*ssa.Store); !ok || s.Addr != f {
			if _, debug := r.(*ssa.DebugRef); !debug {
				return false
			}
		}
	}
	return true
}

// copies returns the options into whose field DryRun the value of f is stored. A nil
// element stands for any other use of the value.
func copies(f *ssa.FieldAddr) (made []ssa.Value) {
	for _, r := range *f.Referrers() {
		load, ok := r.(*ssa.UnOp)
		if !ok {
			return []ssa.Value{nil}
		}
		for _, use := range *load.Referrers() {
			switch use := use.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				to, ok := use.Addr.(*ssa.FieldAddr)
				if !ok || use.Val != ssa.Value(load) || !apicall.IsOptions(to.X.Type()) || field(to.X.Type(), to.Field) != readsDryRun {
					return []ssa.Value{nil}
				}
				made = append(made, to.X)
			default:
				return []ssa.Value{nil}
			}
		}
	}
	return made
}

// isStorage reports whether a call is of a method of storage that gets the given options.
func (m *method) isStorage(i ssa.CallInstruction, options ssa.Value) bool {
	callee := sideeffect.Method(i)
	if callee == nil {
		return false
	}
	s, ok := shapeOf(callee)
	args := i.Common().Args
	if !i.Common().IsInvoke() && len(args) > 0 {
		args = args[1:]
	}
	return ok && s.options < len(args) && args[s.options] == options && types.Identical(args[s.options].Type(), callee.Signature().Params().At(s.options).Type())
}
