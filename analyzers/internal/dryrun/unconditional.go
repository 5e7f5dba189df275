package dryrun

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Regardless reports whether an instruction runs equally with and without a dry run.
// via is a chain of calls that leads to the instruction: each call is in the function
// that the previous call runs. The function that contains the first call is assumed to
// run. Regardless returns false in these cases:
//
//   - A call of the chain passes on the dry run.
//   - A condition around a call or the instruction may depend on the dry run in a way
//     that Reach does not analyze.
func (r *Result) Regardless(via []ssa.CallInstruction, at ssa.Instruction, m Mode) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state
	if s.analyzed == nil || !s.independentOfDryRun(at) {
		return false
	}
	for _, call := range via {
		if !s.independentOfDryRun(call) || s.passesDryRun(call, m) || slices.ContainsFunc(call.Common().Args, func(a ssa.Value) bool { return !s.passesNothing(a, m) }) {
			return false
		}
	}
	return true
}

// passesNothing reports whether an argument contains no information about the dry run.
// Function literals contain none, because they are analyzed where they run. Clients and
// contexts contain none, because they hold no data of the package.
func (s *state) passesNothing(v ssa.Value, m Mode) bool {
	if phi, ok := v.(*ssa.Phi); ok && slices.ContainsFunc(phi.Block().Preds, func(pred *ssa.BasicBlock) bool { return s.dependsOnDryRun(pred.Instrs[len(pred.Instrs)-1], m) }) {
		return false // the dry run decides what v holds, for example a list that stays empty
	}
	switch v.Type().Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	}
	return isLogger(v.Type()) || s.independent(v, 0)
}

// unconditional reports whether a write does not depend on the dry run. Errors, the
// ends of loops, and conditions on arguments may still prevent it.
func (s *state) unconditional(w *Write) bool {
	return s.allIndependent(append([]ssa.Instruction{w.instr}, w.Via...))
}

func (s *state) allIndependent(all []ssa.Instruction) bool {
	return !slices.ContainsFunc(all, func(at ssa.Instruction) bool { return !s.independentOfDryRun(at) })
}

// independentOfDryRun reports whether no condition around an instruction can depend on
// the dry run. It examines only the function that contains the instruction.
func (s *state) independentOfDryRun(at ssa.Instruction) bool { return s.independentIfEmpty(nil, at) }

// independentIfEmpty is like independentOfDryRun, but assumes that the map empty has no
// elements. A lookup in the map then finds nothing, with or without a dry run. The map
// may be nil.
func (s *state) independentIfEmpty(empty *ssa.MakeMap, at ssa.Instruction) bool {
	if at == nil || at.Block() == nil {
		return false
	}
	if loop := iteration(at.Parent()); loop != nil && !s.iteratesIndependently(empty, loop) {
		return false
	}
	if !s.checks(at.Parent()) {
		return true // only its callers can prevent it
	}
	b := at.Block()
	for d := b.Idom(); d != nil; d = d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok || checksError(cond.Cond) || s.independent(cond.Cond, 0) || isLoopHead(d) && s.countsIndependently(cond.Cond) || empty != nil && findsNothing(cond, empty, b) {
			continue
		}
		if !rejoinBefore(d, b) {
			return false
		}
	}
	return true
}

// rejoinBefore reports whether both branches after d meet again in b, or in a block on
// every path to b. The condition of d then does not decide whether b runs.
func rejoinBefore(d, b *ssa.BasicBlock) bool {
	for at := b; at != nil && at != d; at = at.Idom() {
		if !at.Dominates(d) && alwaysReaches(d, at) {
			return true
		}
	}
	return false
}

// countsIndependently reports whether the condition of a loop compares a counter with a
// number that does not depend on the dry run.
func (s *state) countsIndependently(cond ssa.Value) bool {
	cmp, ok := cond.(*ssa.BinOp)
	return ok && s.independent(cmp.Y, 0)
}

// isLoopHead reports whether a block contains the condition of a loop.
func isLoopHead(b *ssa.BasicBlock) bool { return strings.HasSuffix(b.Comment, ".loop") }

// alwaysReaches reports whether every path from d leads to b, returns an error or
// panics.
func alwaysReaches(d, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{b: true}
	var visit func(at *ssa.BasicBlock) bool
	visit = func(at *ssa.BasicBlock) bool {
		if seen[at] {
			return true
		}
		seen[at] = true
		if len(at.Succs) == 0 {
			return failing(at)
		}
		for _, next := range at.Succs {
			if !visit(next) {
				return false
			}
		}
		return true
	}
	return visit(d)
}

// failing reports whether a block panics or certainly returns an error. The block
// creates the error, or an earlier check has shown that the error is not nil. If the
// function's results contain no error, a return after such a check counts as an error.
func failing(b *ssa.BasicBlock) bool {
	switch last := b.Instrs[len(b.Instrs)-1].(type) {
	case *ssa.Panic:
		return true
	case *ssa.Return:
		if len(last.Results) == 0 {
			return false
		}
		err := last.Results[len(last.Results)-1]
		if !types.Identical(err.Type(), types.Universe.Lookup("error").Type()) {
			return foundError(b, nil)
		}
		switch err := err.(type) {
		case *ssa.MakeInterface:
			return true
		case *ssa.Call:
			if makesError(err) {
				return true
			}
		}
		return foundError(b, err)
	}
	return false
}

// foundError reports whether a block runs only after a check has shown that err is not
// nil. If err is nil, the check of any error counts.
func foundError(b *ssa.BasicBlock, err ssa.Value) bool {
	for d := b.Idom(); d != nil; d = d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		if cmp, ok := cond.Cond.(*ssa.BinOp); ok && cmp.Op == token.NEQ && (cmp.X == err || err == nil && checksError(cmp)) && isOnlyWay(d, 0, b) {
			return true
		}
	}
	return false
}

// checksError reports whether a condition compares an error, usually with nil.
func checksError(cond ssa.Value) bool {
	cmp, ok := cond.(*ssa.BinOp)
	return ok && types.Identical(cmp.X.Type(), types.Universe.Lookup("error").Type())
}

// independent reports whether a value certainly does not depend on the dry run, except
// in ways that Reach analyzes. Such a value comes only from arguments, from their
// fields and from functions that do not get the dry run.
func (s *state) independent(v ssa.Value, depth int) bool {
	if known, ok := s.independentValues[v]; ok {
		return known
	}
	if depth > maxOrigins {
		return false
	}
	s.independentValues[v] = false // the value if v depends on itself in a loop
	known := s.isIndependent(v, depth)
	s.independentValues[v] = known
	return known
}

// maxOrigins limits the values between a condition and its origin.
const maxOrigins = 24

// isIndependent is independent without the cache.
func (s *state) isIndependent(v ssa.Value, depth int) bool {
	all := func(values ...ssa.Value) bool {
		for _, v := range values {
			if !s.independent(v, depth+1) {
				return false
			}
		}
		return true
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Parameter, *ssa.Global:
		return true
	case *ssa.UnOp:
		if f := loadedVar(v); f != nil && s.overridden[f] {
			return false
		}
		return all(v.X)
	case *ssa.FieldAddr:
		return all(v.X)
	case *ssa.Field:
		return all(v.X)
	case *ssa.BinOp:
		return all(v.X, v.Y) || s.testsFilled(v)
	case *ssa.IndexAddr:
		return all(v.X, v.Index)
	case *ssa.Index:
		return all(v.X, v.Index)
	case *ssa.Slice:
		return all(v.X)
	case *ssa.Lookup:
		return all(v.X, v.Index)
	case *ssa.Extract:
		return all(v.Tuple) || s.findsElement(v)
	case *ssa.Next:
		return all(v.Iter)
	case *ssa.Range:
		return all(v.X)
	case *ssa.TypeAssert:
		return all(v.X)
	case *ssa.Convert:
		return all(v.X)
	case *ssa.ChangeType:
		return all(v.X)
	case *ssa.ChangeInterface:
		return all(v.X)
	case *ssa.MakeInterface:
		return all(v.X)
	case *ssa.Alloc:
		return s.holdsIndependent(v, depth)
	case *ssa.Phi:
		return isCounter(v) || all(v.Edges...) && s.choosesIndependently(v.Block(), depth)
	case *ssa.Call:
		return s.calleeCannotCheck(v.Common()) && all(v.Call.Args...) && (!v.Call.IsInvoke() || all(v.Call.Value))
	}
	return false
}

// isCounter reports whether a value counts the rounds of a loop.
func isCounter(v *ssa.Phi) bool {
	for _, e := range v.Edges {
		if _, ok := e.(*ssa.Const); ok {
			continue
		}
		next, ok := e.(*ssa.BinOp)
		if !ok || next.Op != token.ADD && next.Op != token.SUB || next.X != ssa.Value(v) {
			return false
		}
		if _, ok := next.Y.(*ssa.Const); !ok {
			return false
		}
	}
	return true
}

// choosesIndependently reports whether only errors and independent values decide which
// path leads to a block.
func (s *state) choosesIndependently(b *ssa.BasicBlock, depth int) bool {
	top := b.Idom()
	for _, pred := range b.Preds {
		for d := pred; d != nil; d = d.Idom() {
			cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
			if ok && !isLoopHead(d) && !checksError(cond.Cond) && !s.independent(cond.Cond, depth+1) {
				return false
			}
			if d == top {
				break
			}
		}
	}
	return true
}

// holdsIndependent reports whether a variable only holds independent values, and is
// only passed to functions that cannot check the dry run.
func (s *state) holdsIndependent(a *ssa.Alloc, depth int) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.DebugRef, *ssa.Return, *ssa.Slice:
		case *ssa.IndexAddr:
			if !s.storesIndependent(r, depth) {
				return false
			}
		case *ssa.MakeClosure:
			if !loopOnlyReads(r, a) {
				return false
			}
		case ssa.CallInstruction:
			if !s.calleeCannotCheck(r.Common()) {
				return false
			}
		case *ssa.MakeInterface:
			if !s.passedOnlyToUninformed(r) {
				return false
			}
		case *ssa.Store:
			if r.Addr != a || !s.independent(r.Val, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// storesIndependent reports whether all stores to an address are of independent values.
func (s *state) storesIndependent(addr ssa.Value, depth int) bool {
	for _, r := range *addr.Referrers() {
		if store, ok := r.(*ssa.Store); ok && (store.Addr != addr || !s.independent(store.Val, depth+1)) {
			return false
		}
	}
	return true
}

// isLogger reports whether a type is a logger of a known library.
func isLogger(t types.Type) bool {
	n := namedOf(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	switch unvendored(n.Obj().Pkg().Path()) {
	case "log", "log/slog", "github.com/go-logr/logr", "github.com/sirupsen/logrus", "go.uber.org/zap", "github.com/rs/zerolog":
		return true
	}
	return false
}

// passedOnlyToUninformed reports whether a value is only passed to functions that
// cannot check the dry run.
func (s *state) passedOnlyToUninformed(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case ssa.CallInstruction:
			if !s.calleeCannotCheck(r.Common()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// calleeCannotCheck reports whether the called function cannot check the dry run. Such
// a function belongs to the package and checks no source, or it gets no struct with a
// field for a dry run.
func (s *state) calleeCannotCheck(common *ssa.CallCommon) bool {
	if _, ok := common.Value.(*ssa.Builtin); ok {
		return true
	}
	if body := s.body(common); body != nil {
		return !s.checks(body)
	}
	for _, a := range common.Args {
		if s.vars.fieldOf(a.Type()) != nil {
			return false
		}
	}
	return !common.IsInvoke() || s.vars.fieldOf(common.Value.Type()) == nil
}
