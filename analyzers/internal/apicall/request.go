package apicall

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// request finds out what a chain of calls on a *rest.Request sends, and stores it in c.
// instr is the last call of the chain: Do, DoRaw or Stream. write is true if the
// request is a write, and understood is true if the chain was understood. A request with
// several verbs is not understood.
func (p *program) request(c *Call, instr ssa.CallInstruction) (write, understood bool) {
	if instr == nil || len(instr.Common().Args) == 0 {
		return false, false
	}
	request := instr.Common().Args[0]
	f := p.flow(managerKind)
	sources := f.sources(request, []step{deref, requestStep}, instr, nil)
	for n, s := range sources {
		verb, patch, client, known := p.requestFrom(s)
		if !known || n > 0 && verb != c.Verb {
			return false, false
		}
		c.Verb, c.Patch, c.requestClient = verb, patch, client
	}
	if c.Verb == 0 {
		return false, len(sources) > 0
	}
	c.HasOptions = true
	c.Subresource = p.requestSubresource(request)
	c.question = c.Verb == VerbCreate && isQuestion(p.requestResource(request))
	c.Options, c.Object = p.requestArguments(c, request)
	for _, s := range []struct {
		kind kind
		to   *Setting
	}{
		{managerKind, &c.Own.FieldManager}, {forceKind, &c.Own.Force},
		{dryRunKind, &c.Own.DryRun}, {validationKind, &c.Own.FieldValidation},
	} {
		f := p.flow(s.kind)
		out := f.value(request, []step{deref, requestStep}, instr, nil)
		if out.noValue {
			out = unknown
		}
		c.Func = instr.Parent()
		*s.to = p.toSetting(out, c)
		if f.caller != nil {
			c.CallerOptions = f.caller
		}
	}
	return true, true
}

// requestFrom returns the verb and the client at the beginning of a request. The verb
// of a read is 0. known is false if the beginning was not found.
func (p *program) requestFrom(s source) (verb Verb, patch string, client ssa.Value, known bool) {
	if e, ok := s.value.(*ssa.Extract); ok {
		s.value = e.Tuple
	}
	call, ok := s.value.(*ssa.Call)
	if !ok {
		return 0, "", nil, false
	}
	fn, args := calleeOf(call.Common())
	if fn == nil || len(args) == 0 {
		return 0, "", nil, false
	}
	path := ImportPath(fn.Pkg())
	if path == applyPath && fn.Name() == "NewRequest" {
		return VerbApply, "", args[0], true
	}
	if path != restPath {
		// Requests that a generated client returns, such as that of GetLogs, are reads.
		return 0, "", nil, isGenerated(path)
	}
	method := strings.ToUpper(fn.Name())
	if method == "VERB" {
		method = strings.ToUpper(p.constantText(args[1], call))
	} else if method == "PATCH" && len(args) == 2 {
		patch = p.constantText(args[1], call)
	}
	verb, known = methods[method]
	return verb, patch, args[0], known
}

// methods maps HTTP methods to verbs. Reads have verb 0.
var methods = map[string]Verb{
	"GET": 0, "POST": VerbCreate, "PUT": VerbUpdate, "PATCH": VerbPatch, "DELETE": VerbDelete,
}

// calleeOf returns the function or method that a call runs, and its arguments. The
// receiver is the first argument.
func calleeOf(common *ssa.CallCommon) (*types.Func, []ssa.Value) {
	if common.IsInvoke() {
		return common.Method, append([]ssa.Value{common.Value}, common.Args...)
	}
	fn := common.StaticCallee()
	if fn == nil {
		return nil, common.Args
	}
	object, _ := origin(fn).Object().(*types.Func)
	return object, common.Args
}

// chain returns the calls of a chain in one expression. The last call comes first.
func chain(v ssa.Value) []*ssa.Call {
	var out []*ssa.Call
	for {
		same, ok := fluent(v)
		if !ok {
			return out
		}
		out = append(out, v.(*ssa.Call))
		v = same
	}
}

// requestSubresource returns the constant subresource of a request, or "".
func (p *program) requestSubresource(request ssa.Value) string {
	for _, call := range chain(request) {
		if call.Call.StaticCallee().Name() == "SubResource" && len(call.Call.Args) == 2 {
			return p.firstOf(call.Call.Args[1], call)
		}
	}
	return ""
}

// requestResource returns the constant resource of a request, or "".
func (p *program) requestResource(request ssa.Value) string {
	for _, call := range chain(request) {
		if call.Call.StaticCallee().Name() == "Resource" && len(call.Call.Args) == 2 {
			return p.constantText(call.Call.Args[1], call)
		}
	}
	return ""
}

// isQuestion reports whether the server only answers a create of a resource, and stores
// nothing. OpenShift fills in the parameters of a template that is sent to
// processedtemplates, and returns it.
func isQuestion(resource string) bool {
	resource = strings.ToLower(resource)
	return strings.HasSuffix(resource, "accessreviews") || resource == "tokenreviews" ||
		resource == "selfsubjectreviews" || resource == "selfsubjectrulesreviews" || resource == "processedtemplates"
}

// requestArguments returns the expressions of the options and the body.
func (p *program) requestArguments(c *Call, request ssa.Value) (options, object ast.Expr) {
	for _, call := range chain(request) {
		e := p.calls[call.Call.Pos()]
		if e == nil || len(e.Args) == 0 {
			continue
		}
		switch call.Call.StaticCallee().Name() {
		case "VersionedParams", "SpecificallyVersionedParams":
			options = e.Args[0]
		case "Body":
			if c.Verb == VerbDelete {
				options = e.Args[0]
			} else {
				object, c.requestBody = e.Args[0], call.Call.Args[1]
			}
		}
	}
	return options, object
}
