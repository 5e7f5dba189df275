package apicall

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// settingPath is a setting that a type of result can contain, and the path to it.
type settingPath struct {
	path []step
	kind kind
}

// settingPaths returns the settings that a type of result can contain.
func settingPaths(t types.Type) []settingPath {
	path, name, declared := named(t)
	_, pointer := types.Unalias(t).(*types.Pointer)
	var begin []step
	if pointer {
		begin = []step{deref}
	}
	to := func(t types.Type, k kind, fields ...string) []settingPath {
		way := append([]step{}, begin...)
		for _, f := range fields {
			i, ok := indexOf(t, f)
			if !ok {
				return nil
			}
			t = fieldType(t, i)
			way = append(way, step(i))
			if _, ok := t.Underlying().(*types.Pointer); ok && f == "Raw" {
				way = append(way, deref)
			}
		}
		return []settingPath{{path: way, kind: k}}
	}
	var out []settingPath
	kinds := []kind{managerKind, forceKind, dryRunKind, validationKind}
	if o, ok := optionOf(t); ok && !o.functional {
		for _, k := range kinds {
			out = append(out, to(t, k, string(k))...)
			if o.vocabulary == runtimeOptions && k.inRaw(t) {
				out = append(out, to(t, k, "Raw", string(k))...)
			}
		}
		return out
	}
	switch {
	case declared && path == restPath && name == "Config":
		return to(t, agentKind, string(agentKind))
	case declared && path == clientPath && name == "Options":
		out = append(out, to(t, managerKind, "FieldOwner")...)
		out = append(out, to(t, forceKind, "DryRun")...)
		return append(out, to(t, validationKind, "FieldValidation")...)
	case declared && (path == managerPath || path == clusterPath) && name == "Options":
		out = append(out, to(t, managerKind, "NewClient")...)
		out = append(out, to(t, managerKind, "Client", "FieldOwner")...)
		out = append(out, to(t, forceKind, "Client", "DryRun")...)
		return append(out, to(t, validationKind, "Client", "FieldValidation")...)
	}
	return nil
}

// functional reports in ok whether a type is a functional option of controller-runtime,
// or a list of such options. list is true for a list.
func functional(t types.Type) (list, ok bool) {
	if s, isSlice := types.Unalias(t).(*types.Slice); isSlice {
		list, t = true, s.Elem()
	}
	o, isOption := optionOf(t)
	return list, isOption && o.functional
}

// isClientType reports whether a type is a client that can write.
func isClientType(t types.Type) bool {
	path, name, ok := named(t)
	switch {
	case !ok || isFake(path):
		return false
	case path == clientPath:
		return name == "Client" || name == "WithWatch" || name == "Writer"
	case path == dynamicPath:
		return name == "Interface" || name == "DynamicClient"
	case path == resourcePath:
		return name == "Helper"
	case strings.HasPrefix(path, "k8s.io/client-go/kubernetes"), strings.Contains(path, "/clientset/"):
		return name == "Interface" || name == "Clientset"
	}
	return false
}

// isDryRunList guesses from its name and result whether a function returns the value of
// a field DryRun.
func isDryRunList(fn *types.Func, t types.Type) bool {
	s, ok := types.Unalias(t).(*types.Slice)
	return ok && isString(s.Elem()) && strings.Contains(strings.ToLower(fn.Name()), "dryrun")
}

// needsFacts reports whether other packages need facts about a function's results.
func needsFacts(fn *types.Func) bool {
	sig, ok := fn.Type().(*types.Signature)
	if !ok || !fn.Exported() {
		return false
	}
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if _, ok := functional(t); ok || isClientType(t) || isDryRunList(fn, t) || len(settingPaths(t)) > 0 {
			return true
		}
	}
	return false
}

// exportSummaries exports facts about the results of this package's functions, for other
// packages of the module.
func (p *program) exportSummaries() {
	for _, fn := range p.funcs {
		object, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || !needsFacts(object) {
			continue
		}
		if fact := p.summary(fn, object); fact != nil {
			p.pass.ExportObjectFact(object, fact)
		}
	}
}

// summary returns the fact about the results of a function, or nil if nothing is known.
func (p *program) summary(fn *ssa.Function, object *types.Func) *resultFact {
	var params []*types.Var
	for _, v := range fn.Params {
		param, _ := v.Object().(*types.Var)
		params = append(params, param)
	}
	returns := returnsOf(fn)
	fact := new(resultFact)
	results := object.Type().(*types.Signature).Results()
	// A nil result together with an error does not count.
	failing := results.Len() > 1 && types.Identical(results.At(results.Len()-1).Type(), types.Universe.Lookup("error").Type())
	for n := range results.Len() {
		t := results.At(n).Type()
		add := func(path string, k kind, read func(f *flow, v ssa.Value, at ssa.Instruction) outcome) {
			f, out := p.flow(k), none
			for _, ret := range returns {
				if v := ret.Results[n]; !failing || !isNil(v) {
					out = join(out, read(f, v, ret))
				}
			}
			if v := encode(out, params); v.State != Unknown {
				fact.Settings = append(fact.Settings, settingFact{Result: n, Path: path, Kind: string(k), Value: v})
			}
		}
		if list, ok := functional(t); ok {
			for _, k := range []kind{managerKind, forceKind, dryRunKind, validationKind} {
				add("()", k, func(f *flow, v ssa.Value, at ssa.Instruction) outcome {
					if list {
						return f.options(v, unset, at, nil)
					}
					return f.option(v, unset, at, nil)
				})
			}
		}
		if isDryRunList(object, t) {
			add("", dryRunKind, func(f *flow, v ssa.Value, at ssa.Instruction) outcome { return f.value(v, nil, at, nil) })
		}
		for _, q := range settingPaths(t) {
			add(pathKey(q.path), q.kind, func(f *flow, v ssa.Value, at ssa.Instruction) outcome { return f.value(v, q.path, at, nil) })
		}
		if isClientType(t) {
			fact.Clients = append(fact.Clients, p.clientSummary(n, returns, params))
		}
	}
	if len(fact.Settings) == 0 && len(fact.Clients) == 0 {
		return nil
	}
	return fact
}

// isNil reports whether a result is nil.
func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// clientSummary returns the fact about a client that a function returns.
func (p *program) clientSummary(result int, returns []*ssa.Return, params []*types.Var) clientFact {
	info := clientInfo{noClient: true}
	for _, ret := range returns {
		info = joinClients(info, p.clientOrNone(ret.Results[result], ret, nil, 0))
	}
	if info.noClient {
		info = unknownClient
	}
	fact := clientFact{
		Result: result, Built: info.built != nil, Outside: info.outside, Fake: info.fake,
		Manager: encode(info.manager, params), DryRun: encode(info.dryRun, params),
		Validation: encode(info.validation, params), Agent: encode(info.agent, params),
	}
	for i, v := range params {
		if v != nil && info.identity == v {
			fact.Wraps = i + 1
		}
	}
	return fact
}

// factOf returns the fact about a function of another package, or nil.
func (p *program) factOf(fn *types.Func) *resultFact {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == p.pass.Pkg {
		return nil
	}
	if own := needsFacts(fn) && sameModule(p.pass, fn.Pkg()); !own && !p.isHelper(fn.Pkg()) {
		return nil
	}
	fact := new(resultFact)
	if !p.pass.ImportObjectFact(fn.Origin(), fact) {
		return nil
	}
	return fact
}

// factResult returns the setting at a path in a result of another package's function.
// If folds is true, the result is a functional option, and factResult returns its
// effect.
func (p *program) factResult(f *flow, c *ssa.Call, index int, path []step, folds bool, fr *frame) outcome {
	fn, args := calleeOf(c.Common())
	fact := p.factOf(fn)
	if fact == nil {
		return unknown
	}
	key := pathKey(path)
	if folds {
		key = "()"
	}
	for _, s := range fact.Settings {
		if s.Result == index && s.Path == key && s.Kind == string(f.kind) {
			return f.applied(s.Value, c, args, folds, fr)
		}
	}
	return unknown
}

// applied returns the outcome of a fact for a call with these arguments.
func (f *flow) applied(v valueFact, c ssa.Instruction, args []ssa.Value, folds bool, fr *frame) outcome {
	out := v.decode()
	if v.Param == 0 || v.Param > len(args) {
		return out
	}
	arg := args[v.Param-1]
	if arg == nil {
		return unknown
	}
	if v.State == Set {
		if given := f.value(arg, nil, c, fr); !given.noValue && given.State == Set && !out.Sometimes {
			return given
		}
		return out
	}
	var given outcome
	if list, ok := functional(arg.Type()); ok {
		if list {
			given = f.options(arg, unset, c, fr)
		} else {
			given = f.option(arg, unset, c, fr)
		}
	} else if IsOptions(arg.Type()) {
		given = f.objectOptions(arg, c, fr)
	}
	if out.Sometimes {
		given = join(given, unset)
	}
	return given
}

// factClient describes the client that a function of another package returns, if there
// is a fact about it. Otherwise it returns false.
func (p *program) factClient(call *ssa.Call, fn *types.Func, args []ssa.Value, fr *frame, depth int) (clientInfo, bool) {
	fact := p.factOf(fn)
	if fact == nil || len(fact.Clients) == 0 {
		return clientInfo{}, false
	}
	c := fact.Clients[0]
	if c.Fake {
		return clientInfo{fake: true, identity: fn, manager: unset, dryRun: unset, validation: unset, agent: unset}, true
	}
	info := clientInfo{identity: fn, outside: c.Outside || c.Built}
	if c.Wraps > 0 && c.Wraps <= len(args) {
		info = p.client(args[c.Wraps-1], call, fr, depth+1)
	}
	put := func(to *outcome, v valueFact, k kind) {
		if v.State == Unknown {
			return
		}
		*to = override(*to, p.flow(k).applied(v, call, args, false, fr))
		if c.Wraps == 0 && v.State == Unset {
			*to = unset
		}
	}
	put(&info.manager, c.Manager, managerKind)
	put(&info.dryRun, c.DryRun, dryRunKind)
	put(&info.validation, c.Validation, validationKind)
	put(&info.agent, c.Agent, agentKind)
	return info, true
}
