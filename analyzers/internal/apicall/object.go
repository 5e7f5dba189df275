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

// describeObject sets the type and the kind of the written object.
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
		// The static type is an interface, such as client.Object. The assigned value may
		// show the type.
		if concrete := p.concrete(c); concrete != nil {
			c.ObjectType, c.GVK = concrete, gvkOf(concrete)
		}
	}
	if v := p.objectValue(c); v != nil && c.GVK.Kind == "" {
		c.GVK = p.untypedKind(v, c.Instr)
	}
}

// objectValue returns the value of the argument with the object, or nil if it is not
// known.
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
	// If the argument is a variable of an interface type, find the object in it.
	sources := p.flow(managerKind).sources(v, nil, c.Instr, nil)
	if len(sources) == 1 && sources[0].value != nil && sources[0].value.Parent() == c.Func && len(sources[0].path) == 0 && !sources[0].zero && !sources[0].lost {
		return sources[0].value
	}
	return v
}

// argumentOf returns the value of an argument in the source of a call.
func (p *program) argumentOf(at ssa.CallInstruction, written ast.Expr) ssa.Value {
	if e := p.calls[at.Common().Pos()]; e != nil {
		if i := slices.Index(e.Args, written); i >= 0 {
			return p.fixedArgument(at, i)
		}
	}
	return nil
}

// fixedArgument returns argument i of a call. The receiver does not count. It returns
// nil if the argument is in a variadic list.
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

// typedFor returns the type of the objects that a typed client writes: the type that
// the client's method Get returns.
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

// concrete returns the type of the object in an argument of an interface type. It
// returns nil if the type is not known, or not always the same.
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

// gvkOf returns the kind of a Go type. The group is empty for the core group, and if
// the package does not show the group.
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

// applyConfiguration returns the directory of the group and the version in the import
// path of a package of apply configurations. ok is false for other packages.
func applyConfiguration(path string) (group, version string, ok bool) {
	for _, part := range []string{applyConfPath, applyConfPath2} {
		if _, rest, found := strings.Cut(path, part); found {
			group, version, ok = strings.Cut(rest, "/")
			return group, version, ok
		}
	}
	return "", "", false
}

// declaredGroup returns the API group that a package of API types declares in a
// constant, or "".
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

// groupNames maps the directories in k8s.io/api to their groups. The core group is "".
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

// argumentExpr returns the expression of the argument v of a call, or nil.
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
