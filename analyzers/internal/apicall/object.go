package apicall

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var alwaysForced = Setting{State: Set, By: ClientOptions, Constant: constant.MakeBool(true)}

// describeObject fills in the type and the kind of the written object.
func (p *program) describeObject(c *Call, sh *shape) {
	var t types.Type
	if c.Object != nil {
		t = p.pass.TypesInfo.TypeOf(c.Object)
	}
	if c.Family == Typed && (t == nil || sh.verb != VerbCreate && sh.verb != VerbUpdate || c.Subresource != "" && c.Subresource != "status") {
		if of := p.typedFor(c.Method, c.Receiver); of != nil {
			t = of
		}
	}
	if t == nil {
		return
	}
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	if isBytes(t) {
		return
	}
	c.ObjectType = t
	c.GVK = gvkOf(t)
	if types.IsInterface(t) && c.Object != nil {
		// The static type is client.Object or the like. The assigned value may show the
		// type.
		if concrete := p.concrete(c); concrete != nil {
			c.ObjectType, c.GVK = concrete, gvkOf(concrete)
		}
	}
	if v := p.objectValue(c); v != nil && c.GVK.Kind == "" {
		c.GVK = p.untypedKind(v, c.Instr)
	}
}

// objectValue is the object's argument in SSA form; nil if there is none.
func (p *program) objectValue(c *Call) ssa.Value {
	if c.Instr == nil || c.Object == nil {
		return nil
	}
	v := c.requestBody
	if v == nil {
		v = p.argumentOf(c.Instr, c.Object)
	}
	if v == nil {
		return nil
	}
	// Through variables of interface type to the object itself.
	sources := p.flow(managerKind).sources(v, nil, c.Instr, nil)
	if len(sources) == 1 && sources[0].value != nil && sources[0].value.Parent() == c.Func && len(sources[0].path) == 0 && !sources[0].zero && !sources[0].lost {
		return sources[0].value
	}
	return v
}

// argumentOf is the value of an argument that is written in a call.
func (p *program) argumentOf(at ssa.CallInstruction, written ast.Expr) ssa.Value {
	if e := p.calls[at.Common().Pos()]; e != nil {
		if i := slices.Index(e.Args, written); i >= 0 {
			return p.fixedArgument(at, i)
		}
	}
	return nil
}

// fixedArgument is the argument at an index as written, not counting the receiver,
// unless it belongs to a variadic list.
func (p *program) fixedArgument(at ssa.CallInstruction, i int) ssa.Value {
	common := at.Common()
	args := common.Args
	if sig := common.Signature(); !common.IsInvoke() && sig.Recv() != nil && len(args) > 0 {
		args = args[1:]
	}
	if i >= len(args) {
		return nil
	}
	return args[i]
}

// typedFor is the type that a typed client is for: the type that its Get returns.
func (p *program) typedFor(method *types.Func, receiver ast.Expr) types.Type {
	var t types.Type
	if receiver != nil {
		t = p.pass.TypesInfo.TypeOf(receiver)
	}
	if t == nil {
		if sig, ok := method.Type().(*types.Signature); ok && sig.Recv() != nil {
			t = sig.Recv().Type()
		}
	}
	if t == nil {
		return nil
	}
	get, _, _ := types.LookupFieldOrMethod(t, true, method.Pkg(), "Get")
	fn, ok := get.(*types.Func)
	if !ok {
		return nil
	}
	sig := fn.Type().(*types.Signature)
	if sig.Results().Len() != 2 {
		return nil
	}
	return sig.Results().At(0).Type()
}

// concrete is the one type that the value of the object's argument always has; nil if
// it is not known.
func (p *program) concrete(c *Call) types.Type {
	if c.Instr == nil {
		return nil
	}
	v := p.argumentOf(c.Instr, c.Object)
	if v == nil {
		return nil
	}
	var found types.Type
	for _, s := range p.flow(managerKind).sources(v, nil, c.Instr, nil) {
		if s.value == nil || s.lost || s.zero || len(s.path) > 0 {
			return nil
		}
		t := types.Unalias(s.value.Type())
		if ptr, ok := t.(*types.Pointer); ok {
			t = types.Unalias(ptr.Elem())
		}
		if types.IsInterface(t) || found != nil && !types.Identical(t, found) {
			return nil
		}
		found = t
	}
	return found
}

// gvkOf returns the kind of a Go type, or of a pointer to it. The group is empty for
// the core group, and if the package does not show it.
func gvkOf(t types.Type) GVK {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return GVK{}
	}
	if _, isStruct := n.Underlying().(*types.Struct); !isStruct {
		return GVK{}
	}
	path := ImportPath(n.Obj().Pkg())
	name := n.Obj().Name()
	if path == unstructPath || path == metaPath {
		return GVK{}
	}
	if group, version, ok := applyConfiguration(path); ok {
		kind := strings.TrimSuffix(name, "ApplyConfiguration")
		if kind == name {
			return GVK{}
		}
		return GVK{Group: groupNames[group], Version: version, Kind: kind}
	}
	version := path[strings.LastIndexByte(path, '/')+1:]
	if !isVersion(version) {
		version = ""
	}
	if rest, ok := strings.CutPrefix(path, apiPath); ok {
		group, _, _ := strings.Cut(rest, "/")
		return GVK{Group: groupNames[group], Version: version, Kind: name}
	}
	if strings.HasPrefix(path, apiExtPath) {
		return GVK{Group: "apiextensions.k8s.io", Version: version, Kind: name}
	}
	return GVK{Group: declaredGroup(n.Obj().Pkg()), Version: version, Kind: name}
}

// applyConfiguration splits the path of a package of apply configurations
// into the directory of the group and the version.
func applyConfiguration(path string) (group, version string, ok bool) {
	for _, part := range []string{applyConfPath, applyConfPath2} {
		if _, rest, found := strings.Cut(path, part); found {
			group, version, ok = strings.Cut(rest, "/")
			return group, version, ok
		}
	}
	return "", "", false
}

// declaredGroup is the group that a package of API types names in a constant, as most
// do.
func declaredGroup(pkg *types.Package) string {
	for _, name := range []string{"GroupName", "Group", "APIGroup"} {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok {
			return constantString(c.Val())
		}
	}
	return ""
}

// isVersion reports whether a word is an API version such as v1beta1.
func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && s[1] >= '1' && s[1] <= '9'
}

// groupNames are the groups of k8s.io/api whose name is not that of their
// directory, and those whose name is. The core group is "".
var groupNames = map[string]string{
	"admissionregistration": "admissionregistration.k8s.io",
	"apiserverinternal":     "internal.apiserver.k8s.io",
	"apps":                  "apps",
	"authentication":        "authentication.k8s.io",
	"authorization":         "authorization.k8s.io",
	"autoscaling":           "autoscaling",
	"batch":                 "batch",
	"certificates":          "certificates.k8s.io",
	"coordination":          "coordination.k8s.io",
	"core":                  "",
	"discovery":             "discovery.k8s.io",
	"events":                "events.k8s.io",
	"extensions":            "extensions",
	"flowcontrol":           "flowcontrol.apiserver.k8s.io",
	"networking":            "networking.k8s.io",
	"node":                  "node.k8s.io",
	"policy":                "policy",
	"rbac":                  "rbac.authorization.k8s.io",
	"resource":              "resource.k8s.io",
	"scheduling":            "scheduling.k8s.io",
	"storage":               "storage.k8s.io",
	"storagemigration":      "storagemigration.k8s.io",
}

// argumentExpr is the expression of an argument of a call.
func (p *program) argumentExpr(at ssa.Instruction, v ssa.Value) ast.Expr {
	call, ok := at.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	e := p.calls[call.Common().Pos()]
	if e == nil {
		return nil
	}
	args := call.Common().Args
	offset := len(args) - len(e.Args)
	for i, a := range args {
		if a == v && i-offset >= 0 && i-offset < len(e.Args) {
			return e.Args[i-offset]
		}
	}
	return nil
}
