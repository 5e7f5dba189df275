package apicall

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// writerFact is the fact about a function of another module that writes to an API. It may
// also be about a method of an interface, if the methods that implement it write.
type writerFact struct {
	// Verb, Patch and Subresource describe the first write.
	Verb               Verb
	Patch, Subresource string
	// Kind is the kind of the object, or "" if the caller's object shows the kind.
	Kind string
	// Verbs are the verbs of all writes.
	Verbs verbSet
	// Depth is the number of functions between this function and the first write.
	Depth int
	// Client is the client of all writes. Object is the written object.
	Client, Object place
	// Settable is set if that client can have settings.
	Settable bool
	// Manager, Force, DryRun and Validation apply to all writes.
	Manager, Force, DryRun, Validation valueFact
	// DryRunPlaces are the places in the arguments that a caller sets to get a dry run.
	DryRunPlaces []place
}

// AFact marks the type as a fact.
func (*writerFact) AFact() {}

func (f *writerFact) String() string { return fmt.Sprintf("writes %s", f.Verb) }

// libraryFact is the fact about a package of another module with functions that write.
type libraryFact struct{}

// AFact marks the type as a fact.
func (*libraryFact) AFact() {}

func (*libraryFact) String() string { return "writes" }

// place is a parameter of a function, or a field in a parameter.
type place struct {
	// Param is the number of the parameter. The first parameter or the receiver has number
	// 1, and 0 means that the place is not known.
	Param int
	// Fields are the names of the fields from the parameter to the place.
	Fields []string
}

func (p place) equal(q place) bool {
	if p.Param != q.Param || len(p.Fields) != len(q.Fields) {
		return false
	}
	for i, f := range p.Fields {
		if f != q.Fields[i] {
			return false
		}
	}
	return true
}

// maxFields is the largest number of fields in a place.
const maxFields = 6

// stepsTo returns the path to nested fields of a value of type t. It returns false if t
// has no such fields.
func stepsTo(t types.Type, fields []string) ([]step, bool) {
	var path []step
	for _, name := range fields {
		if _, ok := t.Underlying().(*types.Pointer); ok {
			path = append(path, deref)
		}
		i, ok := indexOf(t, name)
		if !ok {
			return nil, false
		}
		path = append(path, step(i))
		t = fieldType(t, i)
	}
	return path, true
}

// fieldNames returns the names of the fields on a path. It returns false for a path
// with more than maxFields fields.
func fieldNames(t types.Type, path []step) ([]string, bool) {
	var names []string
	for _, s := range path {
		if s == deref {
			continue
		}
		field := fieldOf(t, int(s))
		if field == nil || len(names) == maxFields {
			return nil, false
		}
		names = append(names, field.Name())
		t = fieldType(t, int(s))
	}
	return names, true
}

// writerOf returns the fact about a function of another module that writes. It returns
// nil for other functions.
func (p *program) writerOf(fn *types.Func) *writerFact {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == p.pass.Pkg || !p.isHelper(fn.Pkg()) {
		return nil
	}
	fn = fn.Origin()
	fact, known := p.writers[fn]
	if !known {
		got := new(writerFact)
		if p.pass.ImportObjectFact(fn, got) {
			fact = got
		} else {
			fact = knownWriter(fn)
		}
		p.writers[fn] = fact
	}
	return fact
}

// maybeWriter reports whether an interface method of another module looks like a write,
// although no implementation is known. Such a method has the name of a write and takes
// an object.
func (p *program) maybeWriter(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == p.pass.Pkg {
		return false
	}
	if interfaceVerbs[fn.Name()] == 0 {
		return false
	}
	sig := fn.Signature()
	if sig.Recv() == nil || !types.IsInterface(sig.Recv().Type()) || !p.isHelper(fn.Pkg()) {
		return false
	}
	return objectParam(fn) > 0 && p.writerOf(fn) == nil
}

// knownWriter returns the facts about functions of cli-utils, Helm 2 and kubectl's package
// rawhttp. The writes of cli-utils cannot be followed, because they are tasks in a queue
// behind interfaces of other packages.
func knownWriter(fn *types.Func) *writerFact {
	if fact := helm2Writer(fn); fact != nil {
		return fact
	}
	if fact := rawWriter(fn); fact != nil {
		return fact
	}
	recv := fn.Signature().Recv()
	if recv == nil || fn.Name() != "Run" {
		return nil
	}
	path, name, _ := named(recv.Type())
	if path != "sigs.k8s.io/cli-utils/pkg/apply" && path != "github.com/fluxcd/cli-utils/pkg/apply" {
		return nil
	}
	fact := &writerFact{Verb: VerbApply, Verbs: setOf(VerbApply)}
	switch name {
	case "Applier":
	case "Destroyer":
		fact.Verb, fact.Verbs = VerbDelete, setOf(VerbDelete)
		fact.Manager, fact.Force = valueFact{State: Unset}, valueFact{State: Unset}
	default:
		return nil
	}
	// The options are the last parameter.
	fact.DryRunPlaces = []place{{Param: fn.Signature().Params().Len() + 1, Fields: []string{"DryRunStrategy"}}}
	return fact
}

// libraryCall describes a call of a function of another module that writes.
func (p *program) libraryCall(c *Call, fact *writerFact, instr ssa.CallInstruction) {
	c.Verb, c.Patch, c.Subresource = fact.Verb, fact.Patch, fact.Subresource
	receivers := 0
	if c.Method.Type().(*types.Signature).Recv() != nil {
		receivers = 1
	}
	if i := fact.Object.Param - 1 - receivers; i >= 0 && len(fact.Object.Fields) == 0 && i < len(c.Expr.Args) {
		c.Object = c.Expr.Args[i]
	}
	if instr == nil {
		return
	}
	args, bound := p.argumentsOf(instr.Common(), receivers > 0)
	c.Instr, c.Func = instr, instr.Parent()
	if receivers < len(args) {
		c.Args = args[min(receivers, len(args)):]
	}
	// The receiver of a method value has the value from the instruction that bound it.
	at := func(param int) ssa.Instruction {
		if param == 1 && bound != nil {
			return bound
		}
		return instr
	}
	for _, s := range []struct {
		kind kind
		from valueFact
		to   *Setting
	}{
		{managerKind, fact.Manager, &c.Own.FieldManager}, {forceKind, fact.Force, &c.Own.Force},
		{dryRunKind, fact.DryRun, &c.Own.DryRun}, {validationKind, fact.Validation, &c.Own.FieldValidation},
	} {
		f := p.flow(s.kind)
		out := f.applied(s.from, at(s.from.Param), args, false, nil)
		if i := s.from.OptionsParam; i > 0 && i <= len(args) && args[i-1] != nil {
			out = p.withPassedOptions(s.kind, out, args[i-1], instr)
		}
		if out.noValue {
			out = unknown
		}
		*s.to = p.toSetting(out, c)
		if f.caller != nil {
			c.CallerOptions = f.caller
		}
	}
	if asked, ok := p.libraryDryRun(fact.DryRunPlaces, args, at); ok && c.Own.DryRun.State != Passed {
		c.Own.DryRun = p.toSetting(asked, c)
	}
	if asked, ok := p.helm2DryRun(c.Method, args, instr); ok {
		c.Own.DryRun = p.toSetting(asked, c)
	}
	if asked, ok := p.rawDryRun(c.Method, args, instr); ok {
		c.Own.DryRun = p.toSetting(asked, c)
	}
	info := clientInfo{outside: true}
	if i := fact.Client.Param - 1; i >= 0 && i < len(args) && args[i] != nil {
		c.client, c.clientFields = args[i], fact.Client.Fields
		if path, ok := stepsTo(args[i].Type(), fact.Client.Fields); ok {
			info = p.clientAt(args[i], path, at(fact.Client.Param), nil, 0)
		}
	}
	if !fact.Settable {
		info.manager, info.dryRun, info.validation = unset, unset, unset
	}
	p.setClient(c, info)
	p.combine(c)
}

// libraryDryRun returns the dry-run setting of a library call. places are those in the
// library's parameters that ask for a dry run. ok is false if there are none.
func (p *program) libraryDryRun(places []place, args []ssa.Value, at func(param int) ssa.Instruction) (out outcome, ok bool) {
	out = unset
	for _, a := range places {
		given := unknown
		if i := a.Param - 1; i >= 0 && i < len(args) && args[i] != nil {
			if path, ok := stepsTo(args[i].Type(), a.Fields); ok {
				given = dryRunFromField(p.flow(dryRunKind).value(args[i], path, at(a.Param), nil))
			}
		}
		out = override(out, given)
	}
	return out, len(places) > 0
}

// dryRunFromField converts the value of a library's field for dry runs, such as true,
// into the dry-run setting of a write. The field can have any type.
func dryRunFromField(out outcome) outcome {
	if out.noValue {
		return unknown
	}
	if out.State != Set {
		return out
	}
	if out.Constant != nil {
		switch strings.ToLower(strings.Trim(out.Constant.String(), `"`)) {
		case "", "none", "false", "0", "no":
			if !out.Sometimes {
				return unset
			}
		default:
			out.Elements, out.Complete = []string{"All"}, true
		}
		out.Constant = nil
		return out
	}
	// The program decides at run time whether to ask for a dry run.
	out.Sometimes = true
	return out
}

// clientAt describes the client at a path in a value, such as a field of a helper.
func (p *program) clientAt(v ssa.Value, path []step, at ssa.Instruction, fr *frame, depth int) clientInfo {
	if depth > maxClientDepth {
		return unknownClient
	}
	out := clientInfo{noClient: true}
	for _, s := range p.flow(managerKind).sources(v, path, at, fr) {
		out = joinClients(out, p.carriedClient(s, at, depth))
	}
	if out.noClient {
		return unknownClient
	}
	return out
}

// carriedClient describes the client at a source. If a function of another module
// returned the value, the function's fact says which argument contains the client.
func (p *program) carriedClient(s source, at ssa.Instruction, depth int) clientInfo {
	if s.lost || s.value == nil || s.zero || len(s.path) == 0 {
		return p.clientFrom(s, at, depth)
	}
	if call, from, ok := p.carryingCall(s); ok {
		_, args := calleeOf(call.Common())
		if i := from.Param - 1; i >= 0 && i < len(args) {
			if path, ok := stepsTo(args[i].Type(), from.Fields); ok {
				return p.clientAt(args[i], path, call, s.frame, depth+1)
			}
		}
		return clientInfo{outside: true}
	}
	if field, rest := p.lastOwnField(s.value.Type(), s.path); field != nil {
		if len(rest) == 0 {
			return p.clientFrom(s, at, depth)
		}
		return p.helperIn(field, rest, depth)
	}
	if v, ok := s.value.(*ssa.Parameter); ok {
		return p.helperParam(v, s.path, depth)
	}
	return clientInfo{outside: true}
}

// carryingCall returns the call that returned the value of s. The place is the
// parameter of the called function from which the value at the path of s comes, or the
// zero value if no fact says so. The result is false if no call returned the value.
func (p *program) carryingCall(s source) (*ssa.Call, place, bool) {
	index := 0
	v := s.value
	if e, ok := v.(*ssa.Extract); ok {
		v, index = e.Tuple, e.Index
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil, place{}, false
	}
	fn, _ := calleeOf(call.Common())
	if fact := p.factOf(fn); fact != nil {
		for _, c := range fact.Carried {
			if c.Result == index && c.Path == pathKey(s.path) {
				return call, c.From, true
			}
		}
	}
	return call, place{}, true
}

// lastOwnField returns the last field on a path that this package declares, and the
// path from that field on.
func (p *program) lastOwnField(t types.Type, path []step) (field *types.Var, rest []step) {
	for i, s := range path {
		if s == deref {
			continue
		}
		v := fieldOf(t, int(s))
		if v == nil {
			break
		}
		if v.Pkg() == p.pass.Pkg {
			field, rest = v, path[i+1:]
		}
		t = fieldType(t, int(s))
	}
	return field, rest
}

// helperIn describes the client at a path in the values that the package stores in a
// field. The values are helpers of another module.
func (p *program) helperIn(field *types.Var, rest []step, depth int) clientInfo {
	p.collect()
	if p.taken[field] || field.Exported() && p.pass.Pkg.Name() != "main" || len(p.fields[field]) == 0 {
		return clientInfo{outside: true, identity: field}
	}
	out := clientInfo{noClient: true}
	for _, store := range p.fields[field] {
		out = joinClients(out, p.clientAt(store.Val, rest, store, nil, depth+2))
	}
	return out
}

// helperParam describes the client at a path in a parameter, from the arguments of all
// callers. The arguments are helpers of another module.
func (p *program) helperParam(v *ssa.Parameter, path []step, depth int) clientInfo {
	p.collect()
	fn := origin(v.Parent())
	info := clientInfo{outside: true, identity: v.Object()}
	callers := p.callers[fn]
	if fn.Object() == nil || fn.Object().Exported() || fn.Parent() != nil || p.values[fn] || len(callers) == 0 || len(callers) > 50 {
		return info
	}
	out := clientInfo{noClient: true}
	for i, param := range fn.Params {
		if param != v {
			continue
		}
		for _, call := range callers {
			if args := call.Common().Args; i < len(args) {
				out = joinClients(out, p.clientAt(args[i], path, call, nil, depth+2))
			}
		}
	}
	if out.noClient {
		return info
	}
	return out
}
