package dryrun

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// site is an instruction that runs a function of the package: a call, or another
// instruction.
type site struct {
	caller *ssa.Function
	// instr is the call, or the instruction that creates a literal, if the literal runs
	// immediately.
	instr ssa.Instruction
	// call is the call whose arguments the function gets; nil for a literal
	// that is not called here.
	call ssa.CallInstruction
	// dynamic is true if the call may run another function instead, because it calls an
	// interface.
	dynamic bool
	// inner is set if instr passes the function as an argument to another function of
	// the package. It is the instruction of that other function that runs the argument.
	inner ssa.Instruction
}

// siteReach says whether a site runs during a dry run.
func (s *state) siteReach(at site, m Mode) Reach {
	if at.inner != nil {
		if r := s.reach(at.inner, m); r != Reached {
			return r
		}
	}
	return s.reach(at.instr, m)
}

// graph holds the calls inside the package.
type graph struct {
	sites map[*ssa.Function][]site
	// callees maps callers to the functions that they call.
	callees map[*ssa.Function][]callee
	// escaping holds the functions that are used as values in ways that are not
	// understood. Not all of their callers are known.
	escaping map[*ssa.Function]bool
	// roots holds the functions that a framework runs when a command of the program
	// starts, such as the Run of a command.
	roots map[*ssa.Function]bool
	// hooks holds functions that a framework runs before a command.
	hooks []*ssa.Function
	// runsOf maps a root to the commands that run it.
	runsOf map[*ssa.Function][]ssa.Value
	slots
}

// callee is a function that a site runs.
type callee struct {
	site
	fn *ssa.Function
}

func (s *state) index() {
	for _, fn := range s.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				s.indexInstr(fn, instr)
			}
		}
	}
}

func (s *state) addSite(fn *ssa.Function, at site) {
	s.sites[fn] = append(s.sites[fn], at)
	s.callees[at.caller] = append(s.callees[at.caller], callee{at, fn})
}

func (s *state) indexInstr(fn *ssa.Function, instr ssa.Instruction) {
	var callee ssa.Value
	if call, ok := instr.(ssa.CallInstruction); ok {
		common := call.Common()
		if common.IsInvoke() {
			found := s.implementations(common)
			for _, m := range found {
				s.addSite(m, site{caller: fn, instr: instr, call: call, dynamic: len(found) > 1})
			}
		} else if body := s.body(common); body != nil {
			s.addSite(body, site{caller: fn, instr: instr, call: call})
		}
		if !common.IsInvoke() {
			callee = common.Value
			s.noteCall(fn, call)
		}
	}
	if mc, ok := instr.(*ssa.MakeClosure); ok {
		s.capture(mc)
		s.closure(fn, mc, mc.Fn, instr)
		return
	}
	for _, op := range instr.Operands(nil) {
		if f, ok := (*op).(*ssa.Function); ok && f != callee {
			s.functionValue(fn, f, instr)
		}
	}
}

// closure records how a function literal, or a method value, is used.
func (s *state) closure(fn *ssa.Function, mc *ssa.MakeClosure, target ssa.Value, at ssa.Instruction) {
	f := s.declared(target)
	if f == nil {
		return
	}
	for _, r := range *mc.Referrers() {
		s.functionUse(fn, f, mc, r, at)
	}
}

// functionValue records how an instruction uses a function that is its operand, but not
// its callee.
func (s *state) functionValue(fn, f *ssa.Function, at ssa.Instruction) {
	if f = s.declared(f); f != nil {
		s.functionUse(fn, f, f, at, at)
	}
}

func (s *state) functionUse(fn, f *ssa.Function, v ssa.Value, r, at ssa.Instruction) {
	switch r := r.(type) {
	case *ssa.DebugRef:
	case ssa.CallInstruction:
		common := r.Common()
		switch {
		case common.Value == v, runsAtOnce(common) && s.body(common) == nil:
			s.addSite(f, site{caller: fn, instr: r})
		case runsAtOnce(common):
			escaped := s.escaping[f]
			if s.functionArgument(fn, f, common, v, r); s.escaping[f] && !escaped {
				delete(s.escaping, f)
				s.addSite(f, site{caller: fn, instr: r})
			}
		default:
			if commands := s.commandsWrapping(r); len(commands) > 0 {
				s.roots[f] = true
				s.runsOf[f] = append(s.runsOf[f], commands...)
				return
			}
			s.functionArgument(fn, f, common, v, r)
		}
	case *ssa.Store:
		switch addr := r.Addr.(type) {
		case *ssa.FieldAddr:
			if isCommandRun(addr) {
				s.roots[f] = true
				s.runsOf[f] = append(s.runsOf[f], addr.X)
				return
			}
			if isHook(addr) {
				s.hooks = append(s.hooks, f)
			}
			field := fieldOf(addr.X.Type(), addr.Field)
			s.noteStore(f, field, r)
			if field != nil && !s.vars.isLocal(field.Pkg()) {
				s.register(f, site{caller: fn, instr: r})
			}
		case *ssa.IndexAddr:
			s.noteStore(f, elementSlot(v.Type()), r)
		case *ssa.Alloc:
			// The variable is only called, such as cleanup := func() {…}.
			if s.onlyCalled(addr, f) {
				return
			}
		}
		s.escaping[f] = true
	case *ssa.MapUpdate:
		s.noteStore(f, elementSlot(v.Type()), r)
		s.escaping[f] = true
	case *ssa.ChangeType:
		if n := namedOf(r.Type()); n != nil && !s.vars.isLocal(n.Obj().Pkg()) {
			s.register(f, site{caller: fn, instr: r})
		}
		for _, rr := range *r.Referrers() {
			s.functionUse(fn, f, r, rr, at)
		}
	default:
		s.escaping[f] = true
	}
}

// functionArgument handles the function f that is an argument of a call. If the called
// function only calls its argument, the site of f is that inner call. Otherwise f is
// escaping.
func (s *state) functionArgument(fn, f *ssa.Function, common *ssa.CallCommon, v ssa.Value, r ssa.CallInstruction) {
	body := s.body(common)
	if body == nil {
		s.escaping[f] = true
		if obj := calleeObject(common); obj != nil && !s.vars.isLocal(obj.Pkg()) {
			s.register(f, site{caller: fn, instr: r, call: r})
		}
		return
	}
	for i, a := range common.Args {
		if a != v || i >= len(body.Params) {
			continue
		}
		for _, use := range *body.Params[i].Referrers() {
			switch use := use.(type) {
			case *ssa.DebugRef:
				continue
			case ssa.CallInstruction:
				if use.Common().Value == body.Params[i] || runsAtOnce(use.Common()) {
					s.addSite(f, site{caller: fn, instr: r, inner: use})
					continue
				}
			case *ssa.Store:
				if _, element := use.Addr.(*ssa.IndexAddr); element {
					s.noteStore(f, elementSlot(v.Type()), r) // for example, append adds it to a list
				}
				// A literal of the called function calls it.
				if a, ok := use.Addr.(*ssa.Alloc); ok {
					if calls, ok := callsOf(a); ok {
						for _, c := range calls {
							s.addSite(f, site{caller: fn, instr: r, inner: c})
						}
						continue
					}
				}
			}
			s.escaping[f] = true
		}
	}
}

// onlyCalled handles a function literal in a variable: it adds each call of the
// variable as a site. It returns false if the variable has other uses.
func (s *state) onlyCalled(a *ssa.Alloc, f *ssa.Function) bool {
	calls, ok := callsOf(a)
	for _, c := range calls {
		s.addSite(f, site{caller: c.Parent(), instr: c})
	}
	return ok
}

// callsOf returns the calls of the function that a variable holds. ok is false if the
// variable has other uses.
func callsOf(a *ssa.Alloc) (calls []ssa.Instruction, ok bool) {
	ok = true
	visit := func(addr ssa.Value) {
		for _, r := range *addr.Referrers() {
			load, isLoad := r.(*ssa.UnOp)
			if !isLoad || load.Op != token.MUL {
				continue
			}
			for _, use := range *load.Referrers() {
				call, isCall := use.(ssa.CallInstruction)
				if isCall && (call.Common().Value == load || runsAtOnce(call.Common())) {
					calls = append(calls, use)
				} else if _, debug := use.(*ssa.DebugRef); !debug {
					ok = false
				}
			}
		}
	}
	visit(a)
	for _, r := range *a.Referrers() {
		if mc, isClosure := r.(*ssa.MakeClosure); isClosure {
			inner, _ := mc.Fn.(*ssa.Function)
			for i, b := range mc.Bindings {
				if b == a && inner != nil && i < len(inner.FreeVars) {
					visit(inner.FreeVars[i])
				}
			}
		}
	}
	return calls, ok
}

// declared returns the function of the package that a value is. For a method value, it
// returns the method. It returns nil for functions of other packages, and for other
// values.
func (s *state) declared(v ssa.Value) *ssa.Function {
	f, ok := v.(*ssa.Function)
	if !ok {
		return nil
	}
	if s.analyzed[f] {
		return f
	}
	if o := f.Origin(); o != nil && s.analyzed[o] {
		return o
	}
	if obj, ok := f.Object().(*types.Func); ok {
		return s.byObject[obj.Origin()]
	}
	return nil
}

// runsAtOnce reports whether a call certainly runs its function argument, before the
// call returns or soon afterwards. Examples are functions for retries, polls, groups
// and visitors.
func runsAtOnce(common *ssa.CallCommon) bool {
	name, pkg := calleeName(common)
	pkg = unvendored(pkg)
	lower := strings.ToLower(name)
	for _, word := range []string{"retry", "backoff", "poll", "foreach", "eachlistitem"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	switch {
	case strings.HasPrefix(pkg, "k8s.io/client-go/util/retry"),
		strings.HasPrefix(pkg, "k8s.io/apimachinery/pkg/util/wait"),
		strings.HasPrefix(pkg, "golang.org/x/sync/"),
		strings.HasPrefix(pkg, "github.com/cenkalti/backoff"),
		strings.HasPrefix(pkg, "github.com/avast/retry-go"),
		pkg == "sync", pkg == "slices", pkg == "sort", pkg == "maps", pkg == "path/filepath", pkg == "io/fs",
		strings.HasPrefix(pkg, "github.com/samber/lo"),
		strings.HasPrefix(pkg, "k8s.io/client-go/util/workqueue") && name == "ParallelizeUntil":
		return true
	case strings.HasPrefix(pkg, "k8s.io/cli-runtime/pkg/resource"):
		return name == "Visit"
	}
	return false
}

// commandsWrapping returns the commands that run the result of a call, as in
// RunE: wrap(func() error {…}). The result then runs the argument. It returns nil if the called
// function may check the dry run first.
func (s *state) commandsWrapping(i ssa.CallInstruction) (commands []ssa.Value) {
	call, ok := i.(*ssa.Call)
	if !ok || s.isChecker(call.Common()) {
		return nil
	}
	if body := s.body(call.Common()); body != nil && (s.checksDirectly(body) || slices.ContainsFunc(body.AnonFuncs, s.checksDirectly)) {
		return nil
	}
	for _, r := range *call.Referrers() {
		if store, ok := r.(*ssa.Store); ok {
			if addr, ok := store.Addr.(*ssa.FieldAddr); ok && isCommandRun(addr) {
				commands = append(commands, addr.X)
			}
		}
	}
	return commands
}

// isCommandRun reports whether a field holds the function that a command of cobra or
// urfave/cli runs.
func isCommandRun(addr *ssa.FieldAddr) bool {
	v := fieldOf(addr.X.Type(), addr.Field)
	if v == nil || v.Pkg() == nil {
		return false
	}
	switch path := unvendored(v.Pkg().Path()); {
	case path == "github.com/spf13/cobra":
		return v.Name() == "Run" || v.Name() == "RunE"
	case strings.HasPrefix(path, "github.com/urfave/cli"):
		return v.Name() == "Action"
	}
	return false
}

// implementations returns the methods of the package that a call of an interface's
// method may run.
func (s *state) implementations(common *ssa.CallCommon) []*ssa.Function {
	iface, ok := common.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var found []*ssa.Function
	for _, m := range s.methods[common.Method.Name()] {
		recv := m.Signature.Recv().Type()
		if types.Implements(recv, iface) || types.Implements(types.NewPointer(recv), iface) {
			found = append(found, m)
		}
	}
	return found
}
