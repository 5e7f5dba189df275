package apicall

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// clientInfo describes a client value.
type clientInfo struct {
	manager, dryRun, validation, agent outcome

	built       *Construction
	outside     bool
	fake        bool
	identity    types.Object
	subresource string // subresource of a client for one subresource
	// noClient is set if the value is always nil, or only comes from itself in a loop.
	noClient bool
}

var unknownClient = clientInfo{}

// joinClients describes a client that is one of a and b. It keeps only what is true for
// both.
func joinClients(a, b clientInfo) clientInfo {
	switch {
	case a.noClient:
		return b
	case b.noClient:
		return a
	}
	out := clientInfo{
		manager: join(a.manager, b.manager), dryRun: join(a.dryRun, b.dryRun),
		validation: join(a.validation, b.validation), agent: join(a.agent, b.agent),
		outside: a.outside || b.outside, fake: a.fake && b.fake,
	}
	if a.built == b.built {
		out.built = a.built
	}
	if a.identity == b.identity {
		out.identity = a.identity
	}
	if a.subresource == b.subresource {
		out.subresource = a.subresource
	}
	return out
}

// maxClientDepth limits the fields, callers and wrappers that are followed to find a
// client.
const maxClientDepth = 8

// describeClient finds the client of a call and sets the fields of c about it.
func (p *program) describeClient(c *Call, receiver ssa.Value) {
	if c.requestClient != nil {
		receiver = c.requestClient
	}
	if receiver == nil {
		return
	}
	c.client = receiver
	info := p.client(receiver, c.Instr, nil, 0)
	if c.Family == Helper {
		p.helperState(c, receiver, &info)
	}
	if c.Family == Wrapper && c.Verb == VerbApply {
		c.Own.Force = alwaysForced
	}
	if !settable(c.Family) {
		// The client has no settings except those of its configuration.
		info.manager, info.dryRun, info.validation = unset, unset, unset
	}
	p.setClient(c, info)
}

// setClient sets the settings of the client of a call.
func (p *program) setClient(c *Call, info clientInfo) {
	if c.Subresource == "" {
		c.Subresource = info.subresource
	}
	c.Fake = c.Fake || info.fake || p.fakeTyped(c.Receiver)
	if _, isFunc := info.identity.(*types.Func); isFunc || info.identity == nil {
		// Calls on one variable use the same client.
		if held := p.holder(c.Receiver); held != nil {
			info.identity = held
		}
	}
	c.Client = Client{
		Identity: info.identity, Built: info.built, Outside: info.outside,
		FieldManager: p.toClientSetting(info.manager), DryRun: p.toClientSetting(info.dryRun), FieldValidation: p.toClientSetting(info.validation),
	}
	agent := info.agent.Setting
	agent.SSA = nil
	if info.agent.noValue {
		agent = Setting{}
	}
	c.Client.UserAgent = agent
}

// fakeTyped reports whether an expression, such as a chain of calls, begins with or
// contains a value whose type is a test double.
func (p *program) fakeTyped(e ast.Expr) bool {
	for e != nil {
		e = ast.Unparen(e)
		if n := namedType(p.pass.TypesInfo.TypeOf(e)); n != nil && n.Obj().Pkg() != nil && isFake(ImportPath(n.Obj().Pkg())) {
			return true
		}
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		e = sel.X
	}
	return false
}

// holder returns the variable or field that holds the client of an expression. It
// returns nil if the expression begins with the result of a call.
func (p *program) holder(e ast.Expr) types.Object {
	for e != nil {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := p.pass.TypesInfo.Uses[x].(*types.Var)
			if v == nil {
				return nil
			}
			return v
		case *ast.SelectorExpr:
			v, _ := p.pass.TypesInfo.Uses[x.Sel].(*types.Var)
			if v == nil {
				return nil
			}
			return v.Origin()
		case *ast.CallExpr:
			sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
			if !ok {
				return nil
			}
			fn, ok := p.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
			if !ok || fn.Type().(*types.Signature).Recv() == nil || !isAccessor(fn, ImportPath(fn.Pkg())) {
				return nil
			}
			e = sel.X
		default:
			return nil
		}
	}
	return nil
}

// settable reports whether clients of a family can have settings.
func settable(f Family) bool {
	switch f {
	case Runtime, RuntimeSubresource, CreateOr, Helper, Wrapper:
		return true
	}
	return false
}

// client describes the client that a value holds right before an instruction.
func (p *program) client(v ssa.Value, at ssa.Instruction, fr *frame, depth int) clientInfo {
	out := p.clientOrNone(v, at, fr, depth)
	if out.noClient {
		return unknownClient
	}
	return out
}

// clientOrNone describes the client that a value holds right before an instruction. If
// the value is always nil, the field noClient of the result is set.
func (p *program) clientOrNone(v ssa.Value, at ssa.Instruction, fr *frame, depth int) clientInfo {
	if depth > maxClientDepth {
		return unknownClient
	}
	out := clientInfo{noClient: true}
	for _, s := range p.flow(managerKind).sources(v, nil, at, fr) {
		out = joinClients(out, p.clientFrom(s, at, depth))
	}
	return out
}

func (p *program) clientFrom(s source, at ssa.Instruction, depth int) clientInfo {
	if s.zero {
		return clientInfo{noClient: true} // a nil client writes nothing
	}
	if s.lost || s.value == nil {
		return unknownClient
	}
	if field := fieldOn(s.value.Type(), s.path); field != nil {
		return p.clientIn(field, depth)
	}
	v := s.value
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	switch v := v.(type) {
	case *ssa.Const:
		return clientInfo{noClient: true}
	case *ssa.Call:
		return p.clientOf(v, s.frame, depth)
	case *ssa.Parameter:
		return p.clientParam(v, depth)
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok {
			return clientInfo{outside: true, identity: g.Object()}
		}
	case *ssa.Global:
		return clientInfo{outside: true, identity: v.Object()}
	}
	return unknownClient
}

// clientIn describes the client in a field. It examines the values that the package
// stores in the field, unless other code can set the field.
func (p *program) clientIn(field *types.Var, depth int) clientInfo {
	if known, ok := p.fieldClients[field]; ok {
		return *known
	}
	p.collect()
	info := clientInfo{outside: true}
	own := field.Pkg() == p.pass.Pkg && !p.taken[field] && !p.code.Mentions(field) && (!field.Exported() || p.pass.Pkg.Name() == "main")
	if own {
		info = clientInfo{noClient: true}
		p.fieldClients[field] = &clientInfo{noClient: true} // for a field that is assigned to itself
		for _, store := range p.fields[field] {
			info = joinClients(info, p.clientOrNone(store.Val, store, nil, depth+1))
		}
		if info.noClient {
			info = unknownClient
		}
	}
	info.identity = field
	if depth <= 1 {
		p.fieldClients[field] = &info
	} else {
		delete(p.fieldClients, field) // the depth limited this result
	}
	return info
}

// clientParam describes the client in a parameter. It examines the arguments of all
// callers, if they are known.
func (p *program) clientParam(v *ssa.Parameter, depth int) clientInfo {
	p.collect()
	fn := origin(v.Parent())
	object := v.Object()
	info := clientInfo{outside: true, identity: object}
	callers := p.callers[fn]
	if len(callers) == 0 || p.values[fn] || p.code.Mentions(fn.Object()) || fn.Pkg != p.pkg || fn.Parent() != nil {
		info.outside = fn.Object() != nil && (fn.Object().Exported() || fn.Signature.Recv() != nil)
		return info
	}
	if fn.Object() == nil || fn.Object().Exported() || len(callers) > 50 {
		return info
	}
	i := slices.Index(fn.Params, v)
	info = clientInfo{noClient: true}
	for _, call := range callers {
		args := call.Common().Args
		if i < 0 || i >= len(args) {
			return clientInfo{identity: object}
		}
		info = joinClients(info, p.clientOrNone(args[i], call, nil, depth+2))
	}
	if info.noClient {
		info = unknownClient
	}
	if info.identity == nil {
		info.identity = object
	}
	return info
}

// helperState reads the settings of info from the fields of a Helper.
func (p *program) helperState(c *Call, receiver ssa.Value, info *clientInfo) {
	read := func(k kind, field string) outcome {
		i, ok := indexOf(receiver.Type(), field)
		if !ok {
			return unknown
		}
		return p.flow(k).value(receiver, []step{deref, step(i)}, c.Instr, nil)
	}
	info.manager = read(managerKind, "FieldManager")
	info.validation = read(validationKind, "FieldValidation")
	info.dryRun = read(dryRunKind, "ServerDryRun")
	if v := info.dryRun; !v.noValue && v.State == Set && v.Constant != nil {
		info.dryRun = toDryRunList(v)
	}
}
