package fieldmanager

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
)

// siteKind says what a site does.
type siteKind uint8

const (
	// aWrite is a call that writes and does not name a field manager itself.
	aWrite siteKind = iota + 1
	// aClient is a call that builds a client, or gets a client from a library.
	aClient
	// anAgent is code that sets the user agent of a configuration. anOwner is code that
	// sets the field owner of a controller-runtime client.
	anAgent
	anOwner
)

// site is a place in the code that influences which field manager the API server records.
// Facts contain the exported fields.
type site struct {
	Kind    siteKind
	Package string // import path
	File    string
	// Line and Column are the start of the site. Width is its length in bytes.
	Line, Column, Width int

	// Family is the kind of client. It is 0 if the called function builds clients of all
	// kinds.
	Family apicall.Family
	// API is the import path of the called function, and Call is the function's name.
	API, Call string

	// Client is the ID of the client that makes a write. It is 0 if the client is not
	// known.
	Client uint64
	// Generated is set for a write in a generated file. Library is set for a write in
	// another module. Its site is where the program names a function of this module.
	Generated, Library bool

	// Unsigned is set for a client whose configuration certainly has no user agent.
	// Named is set for a client that has a user agent or an owner. Both are false if
	// that is not known.
	Unsigned, Named bool
	// Ignored is set if a comment suppresses findings at the client.
	Ignored bool
	// OwnerField is set for a controller-runtime client whose options have a field
	// FieldOwner.
	OwnerField bool
	// Elects is set for a client that is used only to elect a leader.
	Elects bool
	// Configured is set if the caller of a library's function gives it the configuration
	// of the client.
	Configured bool

	id uint64
	// pos and end are valid if this process has analyzed the package. fix makes the
	// client name a field manager. fix is nil if another process has analyzed the
	// package, or if there is no such fix.
	pos, end token.Pos
	fix      *fix
}

// identify sets the ID of the site and returns the site. The ID is the same in all
// processes.
func (s *site) identify() *site {
	s.id = hash(strconv.Itoa(int(s.Kind)), s.Package, s.File, strconv.Itoa(s.Line), strconv.Itoa(s.Column))
	return s
}

func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return max(h.Sum64(), 1)
}

// collector collects the sites of a package.
type collector struct {
	pass   *analysis.Pass
	result *apicall.Result
	list   []*site
	// lockVars has the variables that are only used in locks for leader elections. It
	// is nil before the first use.
	lockVars map[types.Object]bool
}

// collect returns the sites of the package.
func collect(pass *analysis.Pass, result *apicall.Result) []*site {
	c := &collector{pass: pass, result: result}
	known := map[*apicall.Construction]uint64{}
	taken := map[*ast.CallExpr]bool{}
	for _, k := range result.Constructions {
		if scope.Of(pass).Skipped(k.Pos()) {
			continue
		}
		taken[k.Expr] = true
		s := c.client(k)
		s.Elects = c.elects(k)
		known[k] = s.id
	}
	for _, call := range result.Calls {
		if !namesNoManager(call) || isDryRun(call) || call.Client.UserAgent.State == apicall.Set {
			continue
		}
		// Generated reconcilers count, because the code that builds their client can name a
		// manager.
		generated := scope.Of(pass).Generated(call.Pos())
		if scope.Of(pass).Skipped(call.Pos()) && !generated {
			continue
		}
		taken[call.Expr] = true
		s := c.add(aWrite, call.Pos(), call.End())
		s.Family, s.Call, s.Generated = call.Family, calledName(call), generated
		if call.Method != nil && call.Method.Pkg() != nil {
			s.API = edit.Unvendored(call.Method.Pkg().Path())
		}
		if call.Client.Built != nil {
			s.Client = known[call.Client.Built]
		}
	}
	for _, r := range result.Runners {
		if !scope.Of(pass).Skipped(r.Name.Pos()) {
			s := c.add(aWrite, r.Name.Pos(), r.Name.End())
			s.Family, s.Library = apicall.Wrapper, true
			s.API, s.Call = edit.Unvendored(r.Func.Pkg().Path()), "the reconciler of "+r.Func.Pkg().Name()+"."+r.Func.Name()
		}
	}
	for _, f := range intact.Of(pass).Whole {
		if scope.Of(pass).Skipped(f.FileStart) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if sel, ok := left.(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) {
						c.addAssignment(sel.Sel, c.pass.TypesInfo.TypeOf(sel.X), n.Rhs[i])
					}
				}
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok {
							c.addAssignment(key, c.pass.TypesInfo.TypeOf(n), kv.Value)
						}
					}
				}
			case *ast.CallExpr:
				if !taken[n] {
					c.addCall(n)
				}
			}
			return true
		})
	}
	return c.list
}

// isDryRun reports whether a write is always a dry run. The server then records
// nothing.
func isDryRun(call *apicall.Call) bool {
	d := call.DryRun
	return d.State == apicall.Set && !d.Sometimes && slices.Contains(d.Elements, "All")
}

// add adds a site of the package.
func (c *collector) add(kind siteKind, pos, end token.Pos) *site {
	at := c.pass.Fset.PositionFor(pos, false)
	s := &site{
		Kind: kind, Package: c.pass.Pkg.Path(), File: at.Filename, Line: at.Line, Column: at.Column,
		Width: int(end - pos), pos: pos, end: end,
	}
	c.list = append(c.list, s.identify())
	return s
}

// client adds the site of a client that the package builds from a configuration.
func (c *collector) client(k *apicall.Construction) *site {
	s := c.add(aClient, k.Pos(), k.Expr.Fun.End())
	s.Family, s.Unsigned = k.Family, k.UserAgent.State == apicall.Unset && k.FieldManager.Empty()
	s.Named = k.UserAgent.State == apicall.Set || k.FieldManager.State == apicall.Set && !k.FieldManager.Empty()
	s.OwnerField = k.Family == apicall.Runtime && ownerField(k)
	if k.Func != nil {
		s.Call = k.Func.Name()
		if k.Func.Pkg() != nil {
			s.API = edit.Unvendored(k.Func.Pkg().Path())
		}
	}
	if !s.Named {
		s.Ignored = scope.Of(c.pass).Silent(id, k.Pos())
		s.fix = signClient(c.pass, c.result.Calls, k.Expr, k.Config, k)
	}
	return s
}

// elects reports whether a client is assigned to a variable that is only used in locks
// for leader elections.
func (c *collector) elects(k *apicall.Construction) bool {
	if c.lockVars == nil {
		c.findLockVars()
	}
	if len(c.lockVars) == 0 {
		return false
	}
	for _, f := range c.pass.Files {
		if k.Pos() < f.FileStart || k.Pos() >= f.FileEnd {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(f, k.Expr.Pos(), k.Expr.End())
		for _, n := range path {
			assign, ok := n.(*ast.AssignStmt)
			if !ok {
				continue
			}
			id, ok := assign.Lhs[0].(*ast.Ident)
			if !ok || len(assign.Rhs) != 1 || ast.Unparen(assign.Rhs[0]) != k.Expr {
				return false
			}
			return c.lockVars[c.pass.TypesInfo.Defs[id]]
		}
	}
	return false
}

// findLockVars finds the variables that are only used in locks for leader elections.
func (c *collector) findLockVars() {
	c.lockVars = map[types.Object]bool{}
	inside := map[*ast.Ident]bool{}
	for _, f := range intact.Of(c.pass).Whole {
		ast.Inspect(f, func(n ast.Node) bool {
			var of types.Object
			var parts []ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				if name := apicall.CalledName(n); name != nil {
					of, parts = c.pass.TypesInfo.Uses[name], n.Args
				}
			case *ast.CompositeLit:
				if t := c.pass.TypesInfo.TypeOf(n); t != nil {
					if name := typeName(t); name != nil {
						of, parts = name, n.Elts
					}
				}
			}
			if of == nil || of.Pkg() == nil || edit.Unvendored(of.Pkg().Path()) != "k8s.io/client-go/tools/leaderelection/resourcelock" {
				return true
			}
			for _, part := range parts {
				ast.Inspect(part, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						if v, ok := c.pass.TypesInfo.Uses[id].(*types.Var); ok {
							inside[id], c.lockVars[v] = true, true
						}
					}
					return true
				})
			}
			return true
		})
	}
	if len(c.lockVars) == 0 {
		return
	}
	for use, obj := range c.pass.TypesInfo.Uses {
		if !inside[use] {
			delete(c.lockVars, obj)
		}
	}
}

// addAssignment adds a site for an assignment to a field. The field must be a user
// agent or a field owner, and the value must be one that can name the program.
func (c *collector) addAssignment(field *ast.Ident, of types.Type, value ast.Expr) {
	kind := aWrite
	switch field.Name {
	case "UserAgent":
		if typeIs(of, "k8s.io/client-go/rest", "Config") {
			kind = anAgent
		}
	case "FieldOwner":
		if typeIs(of, "sigs.k8s.io/controller-runtime/pkg/client", "Options") {
			kind = anOwner
		}
	}
	if kind != aWrite && !c.namesNoProgram(value) {
		c.add(kind, field.Pos(), field.End())
	}
}

// typeIs reports whether t, or the type to which t points, has this package path and
// name. It returns true for unknown types.
func typeIs(t types.Type, path, name string) bool {
	if t == nil {
		return true
	}
	if basic, ok := t.(*types.Basic); ok && basic.Kind() == types.Invalid {
		return true
	}
	obj := typeName(t)
	return obj != nil && obj.Pkg() != nil && obj.Name() == name && edit.Unvendored(obj.Pkg().Path()) == path
}

// namesNoProgram reports whether the value of a user agent does not name the program:
// it is the empty string, the user agent of another configuration, or client-go's
// default.
func (c *collector) namesNoProgram(value ast.Expr) bool {
	value = ast.Unparen(value)
	if v := c.pass.TypesInfo.Types[value].Value; v != nil {
		return v.Kind() == constant.String && constant.StringVal(v) == ""
	}
	switch value := value.(type) {
	case *ast.SelectorExpr:
		return value.Sel.Name == "UserAgent" && typeIs(c.pass.TypesInfo.TypeOf(value.X), "k8s.io/client-go/rest", "Config")
	case *ast.CallExpr:
		name := apicall.CalledName(value)
		return name != nil && name.Name == "DefaultKubernetesUserAgent"
	}
	return false
}

// addCall adds a site for a call of a library function that sets a user agent or an
// owner, or that returns a client.
func (c *collector) addCall(call *ast.CallExpr) {
	name := apicall.CalledName(call)
	if name == nil {
		return
	}
	fn, ok := c.pass.TypesInfo.Uses[name].(*types.Func)
	if v, isVar := c.pass.TypesInfo.Uses[name].(*types.Var); isVar && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		// The variable holds a function, such as sharedmain.WebhookMainWithContext.
		if sig, isFunc := v.Type().Underlying().(*types.Signature); isFunc {
			fn, ok = types.NewFunc(v.Pos(), v.Pkg(), v.Name(), sig), true
		}
	}
	if !ok || fn.Pkg() == nil {
		return
	}
	path := edit.Unvendored(fn.Pkg().Path())
	switch {
	case setsUserAgent(path, fn):
		c.add(anAgent, name.Pos(), name.End())
	case path == "sigs.k8s.io/controller-runtime/pkg/client" && fn.Name() == "WithFieldOwner":
		c.add(anOwner, name.Pos(), name.End())
	default:
		if family, ok := returnsOwnClient(path, fn); ok {
			s := c.add(aClient, call.Pos(), call.Fun.End())
			s.Family, s.API, s.Call = family, path, fn.Name()
			s.Ignored = scope.Of(c.pass).Silent(id, call.Pos())
			if config := c.configIn(call); config != nil {
				s.Configured = true
				s.fix = signClient(c.pass, c.result.Calls, call, config, nil)
			}
		}
	}
}

// configIn returns the argument of a call that is a configuration, or nil.
func (c *collector) configIn(call *ast.CallExpr) ast.Expr {
	for _, arg := range call.Args {
		if t := c.pass.TypesInfo.TypeOf(arg); hasField(t, "UserAgent") && typeIs(t, "k8s.io/client-go/rest", "Config") {
			return arg
		}
	}
	return nil
}

// setsUserAgent reports whether a library's function sets the user agent of a
// configuration.
func setsUserAgent(path string, fn *types.Func) bool {
	switch {
	case path == "k8s.io/client-go/transport":
		return fn.Name() == "NewUserAgentRoundTripper"
	case strings.HasSuffix(path, "/clientbuilder"), path == "sigs.k8s.io/cluster-api/controllers/remote", path == "sigs.k8s.io/cluster-api/controllers/clustercache":
		return true // these functions use the name of their controller
	}
	if !strings.Contains(fn.Name(), "UserAgent") || strings.HasPrefix(fn.Name(), "Default") {
		return false
	}
	for _, list := range []*types.Tuple{fn.Signature().Params(), fn.Signature().Results()} {
		for v := range list.Variables() {
			if typeIs(v.Type(), "k8s.io/client-go/rest", "Config") {
				return true
			}
		}
	}
	return false
}

// returnsOwnClient reports whether a library's function returns a client that the
// library builds, as in knative's injection and in the factories of kubectl and Helm.
// It also returns the family of the client.
func returnsOwnClient(path string, fn *types.Func) (apicall.Family, bool) {
	name := fn.Name()
	switch {
	case strings.HasSuffix(path, "knative.dev/pkg/injection/sharedmain"):
		return 0, strings.Contains(name, "Main")
	case path == "knative.dev/pkg/injection":
		return 0, name == "EnableInjectionOrDie" || name == "SetupInformers"
	case name == "Get" && strings.Contains(path, "/injection/"):
		switch {
		case strings.Contains(path, "/injection/clients/dynamicclient"):
			return apicall.Dynamic, true
		case strings.HasSuffix(path, "/client"):
			return apicall.Typed, true
		}
	case path == "k8s.io/kubectl/pkg/cmd/util":
		switch name {
		case "KubernetesClientSet":
			return apicall.Typed, true
		case "DynamicClient":
			return apicall.Dynamic, true
		case "NewBuilder", "ClientForMapping", "UnstructuredClientForMapping", "RESTClient":
			return apicall.REST, true
		}
	case strings.HasPrefix(path, "helm.sh/helm/") && strings.HasSuffix(path, "/pkg/action"):
		switch name {
		case "KubernetesClientSet":
			return apicall.Typed, true
		case "Init":
			return 0, true
		}
	}
	return 0, false
}
