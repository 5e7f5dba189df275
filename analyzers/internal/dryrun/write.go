package dryrun

import (
	"go/token"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// Write is a real write that runs during a dry run.
type Write struct {
	// Call is the write. It is nil if the write is in another package.
	Call *apicall.Call
	// Func is the function of this package that contains the write, or the call into the
	// other package.
	Func *ssa.Function
	// Via holds the calls between the analyzed function and the write, in the
	// order in which they run. It is empty for writes of the function itself.
	// A call may run a function that is its argument, as retry.OnError does.
	Via []ssa.Instruction
	// Text says what the write does, such as "deletes a Pod".
	Text string
	// Callee is the called function that writes. It is a function of another package,
	// unless FalseParam is set. It is nil if Call is set.
	Callee *types.Func
	// Pos is the position of the write, or of the call of Callee.
	Pos token.Pos

	// FalseParam is the parameter of Callee for which the call passes false. Callee
	// writes because of this. It is "" for other writes.
	FalseParam string
	// falseArg is the number of the argument for FalseParam, or -1 for the receiver.
	// falseField is the field of that argument, or nil if the argument is the dry run.
	falseArg   int
	falseField *types.Var
	// IgnoredBy is the type that gets the dry run through an interface, ignores it and
	// writes. It is "" for other writes.
	IgnoredBy string

	// RealClient is the method of the client for dry runs, such as quietClient.Patch, that
	// is still the method of the real client. It is "" for other writes.
	RealClient string
	// ServerOnly is true if the write is a dry run only for a server-side dry run.
	ServerOnly bool

	instr ssa.Instruction
	// object is the written object, if its kind is not known. It may be nil.
	object ssa.Value
	// interfaceMethods holds the methods of interfaces to which the call leads. It is
	// not known whether they write.
	interfaceMethods []string
}

// distance returns the number of calls between the analyzed function and the write. The
// calls in other packages count as one.
func (w *Write) distance() int {
	if w.Callee != nil {
		return len(w.Via) + 1
	}
	return len(w.Via)
}

const (
	// maxWrites limits the writes reported for one function.
	maxWrites = 12
	// maxChain limits the calls followed inside a package.
	maxChain = 8
	// maxDistance limits the calls between a call of another package and the write.
	maxDistance = 8
	// maxOrigin limits the calls and variables between a value and its origin.
	maxOrigin = 4
)

// writes returns the real writes of fn, and of the functions that it calls, in mode m.
func (s *state) writes(fn *ssa.Function, m Mode) []*Write {
	return s.collectWrites(fn, m, s.foundWrites, s.ownWrites)
}

// interfaceCalls returns the calls of fn, and of the functions that it calls, that lead
// to methods of unknown types. These methods may write.
func (s *state) interfaceCalls(fn *ssa.Function, m Mode) []*Write {
	return s.collectWrites(fn, m, s.foundInterfaceCalls, s.ownInterfaceCalls)
}

// collectWrites collects the results of direct for fn and for the functions that it
// calls. found caches them.
func (s *state) collectWrites(fn *ssa.Function, m Mode, found map[flowKey][]*Write, direct func(*ssa.Function, Mode) []*Write) []*Write {
	if s.analyzed == nil {
		return nil
	}
	key := flowKey{fn, m}
	if got, ok := found[key]; ok {
		return got // nil during the search, for a recursive call
	}
	found[key] = nil
	got := direct(fn, m)
	for _, c := range s.callees[fn] {
		if c.dynamic && !s.runsInDryRun(c.site, c.fn, m) || c.fn == fn || s.siteReach(c.site, m) != Reached {
			continue
		}
		for _, w := range s.collectWrites(c.fn, m, found, direct) {
			if len(w.Via) >= maxChain || len(got) >= maxWrites {
				continue
			}
			deeper := *w
			deeper.Via = append([]ssa.Instruction{c.instr}, w.Via...)
			got = append(got, &deeper)
		}
	}
	found[key] = got
	return got
}

// ownWrites returns the real writes in the body of fn, and its calls of functions of
// other packages that write.
func (s *state) ownWrites(fn *ssa.Function, m Mode) []*Write {
	var got []*Write
	for _, c := range s.byCall[fn] {
		if RealWrite(c) && s.reach(c.Instr, m) == Reached && !s.clientChosen(c.Instr, m) && !s.passesDryRun(c.Instr, m) &&
			!s.bookkeeping(c) && !s.sendsUnchanged(c, m) {
			w := &Write{Call: c, Func: fn, Text: Describe(c), Pos: c.Pos(), instr: c.Instr}
			if namesUnknown(w.Text) {
				w.object = s.calls.Object(c)
			}
			got = append(got, w)
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			got = append(got, s.ignoredBehindInterface(call, m)...)
			if w := s.passesFalse(call, m); w != nil {
				got = append(got, w)
				continue
			}
			obj := calleeObject(call.Common())
			behind := s.calls.Behind(call.Common())
			if behind != nil {
				obj = behind
			}
			if obj == nil || obj.Pkg() == nil || obj.Pkg() == s.pass.Pkg || s.calls.CallAt(call) != nil || locksLeader(obj) {
				continue
			}
			fact, ok := s.writerFact(obj, call, m)
			if !ok || fact.Depth > maxDistance {
				continue
			}
			if common := call.Common(); common.IsInvoke() && (behind == nil || m == Client) && !s.createdInPackage(common.Value, 0) {
				continue // the value may be of another type, for dry runs
			}
			if !fact.IgnoresOptions && s.passesInAnyForm(call, m) && !s.pass.ImportObjectFact(obj.Origin(), &ignoresStruct{}) || s.reach(call, m) != Reached || s.clientChosen(call, m) {
				continue
			}
			if w := writeByCallee(fn, obj, call, fact); w != nil {
				got = append(got, w)
			}
		}
	}
	return got
}

// writerFact returns the fact about a function of another package that writes. It also
// finds the write if it is in an interface method, and this package knows the type that
// implements the interface, or passes the values to the function.
func (s *state) writerFact(obj *types.Func, call ssa.CallInstruction, m Mode) (fact writer, ok bool) {
	if s.pass.ImportObjectFact(obj.Origin(), &fact) {
		return fact, true
	}
	var indirect interfaceCalls
	if !s.pass.ImportObjectFact(obj.Origin(), &indirect) {
		fact.Text = s.writeOfPassed(call, s.methodsOfRunner(obj), m)
		return fact, fact.Text != ""
	}
	fact.IgnoresOptions = indirect.IgnoresOptions
	if fact.Text = s.writeOfPassed(call, indirect.Methods, m); fact.Text != "" {
		return fact, true
	}
	fact.Text, ok = s.writeOfMethods(indirect.Methods)
	return fact, ok
}

// createdInPackage reports whether each value that an interface can have is the result
// of a call in the package. If a caller passes the interface to the package, the caller
// may choose it for a dry run.
func (s *state) createdInPackage(v ssa.Value, depth int) bool {
	if depth > maxOrigin {
		return false
	}
	all := func(values []ssa.Value) bool {
		for _, w := range values {
			if c, ok := w.(*ssa.Const); ok && c.IsNil() {
				continue
			}
			if !s.createdInPackage(w, depth+1) {
				return false
			}
		}
		return len(values) > 0
	}
	switch v := v.(type) {
	case *ssa.Call, *ssa.MakeInterface:
		return true
	case *ssa.Extract:
		_, ok := v.Tuple.(*ssa.Call)
		return ok
	case *ssa.ChangeInterface:
		return s.createdInPackage(v.X, depth+1)
	case *ssa.UnOp:
		return all(s.storedAt(v.X))
	case *ssa.Phi:
		return all(v.Edges)
	case *ssa.Parameter:
		return all(s.argumentsFor(v))
	}
	return false
}
