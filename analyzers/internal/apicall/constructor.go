package apicall

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// constructor describes a function that builds a client. config and options are indexes
// of its parameters, or -1 if there is no such parameter.
type constructor struct {
	family          Family
	config, options int
}

// constructors recognizes functions that build clients, and caches the results. It is not
// safe for concurrent use.
type constructors map[*types.Func]*constructor

func (c constructors) of(fn *types.Func) *constructor {
	if fn == nil {
		return nil
	}
	found, known := c[fn]
	if !known {
		found = constructorOf(fn)
		c[fn] = found
	}
	return found
}

func constructorOf(fn *types.Func) *constructor {
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Recv() != nil {
		return nil
	}
	path, name := ImportPath(fn.Pkg()), fn.Name()
	switch {
	case path == clientPath && (name == "New" || name == "NewWithWatch"),
		(path == managerPath || path == clusterPath) && name == "New",
		path == runtimePath && name == "NewManager":
		c := &constructor{family: Runtime, config: 0, options: -1}
		if sig.Params().Len() > 1 {
			c.options = 1
		}
		return c
	case path == resourcePath && name == "NewHelper":
		return &constructor{family: Helper, config: -1, options: -1}
	}
	if sig.Params().Len() == 0 || !isNamed(sig.Params().At(0).Type(), restPath, "Config") || sig.Results().Len() == 0 {
		return nil
	}
	switch path {
	case restPath:
		if strings.HasPrefix(name, "RESTClientFor") || strings.HasPrefix(name, "UnversionedRESTClientFor") {
			return &constructor{family: REST, config: 0, options: -1}
		}
		return nil
	case dynamicPath:
		return configured(name, Dynamic)
	case metadataPath:
		return configured(name, Metadata)
	case scalePath:
		return configured(name, Scale)
	case "k8s.io/client-go/discovery":
		return nil // its clients only read
	}
	if isFake(path) {
		return nil
	}
	return configured(name, Typed)
}

// configured recognizes the constructors of generated clients by name. The packages
// dynamic, metadata and scale use the same names.
func configured(name string, family Family) *constructor {
	switch name {
	case "NewForConfig", "NewForConfigOrDie", "NewForConfigAndClient":
		return &constructor{family: family, config: 0, options: -1}
	}
	return nil
}

// aliasTarget returns the function in a variable of controller-runtime's top-level
// package, such as ctrl.NewManager. It returns nil for other variables.
func (p *program) aliasTarget(v *types.Var) *types.Func {
	if v == nil || ImportPath(v.Pkg()) != runtimePath || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	switch v.Name() {
	case "NewManager", "CreateOrUpdate", "CreateOrPatch", "GetConfig", "GetConfigOrDie":
	default:
		return nil
	}
	fn, known := p.aliases[v]
	if !known {
		if sig, ok := v.Type().Underlying().(*types.Signature); ok {
			fn = types.NewFunc(v.Pos(), v.Pkg(), v.Name(), sig)
		}
		p.aliases[v] = fn
	}
	return fn
}

// calledAlias returns the result of aliasTarget for the variable that a call runs. It
// returns nil for other calls.
func (p *program) calledAlias(common *ssa.CallCommon) *types.Func {
	addr, ok := throughPointer(common.Value)
	if !ok {
		return nil
	}
	g, ok := addr.(*ssa.Global)
	if !ok {
		return nil
	}
	v, _ := g.Object().(*types.Var)
	return p.aliasTarget(v)
}

// construction describes a call that builds a client. It returns the same pointer if it
// is called again for the same call.
func (p *program) construction(e *ast.CallExpr, fn *types.Func, c *constructor, instr ssa.CallInstruction) *Construction {
	if known, ok := p.constructions[e]; ok {
		return known
	}
	built := &Construction{Expr: e, Func: fn, Family: c.family}
	p.constructions[e] = built
	if c.config >= 0 && c.config < len(e.Args) {
		built.Config = e.Args[c.config]
	}
	unset := Setting{State: Unset}
	built.FieldManager, built.DryRun, built.FieldValidation = unset, unset, unset
	if instr == nil {
		if c.options >= 0 {
			built.FieldManager, built.DryRun, built.FieldValidation = Setting{}, Setting{}, Setting{}
		}
		return built
	}
	args := instr.Common().Args
	if c.config >= 0 && c.config < len(args) {
		built.UserAgent = p.agent(args[c.config], instr)
	}
	if c.options >= 0 && c.options < len(args) {
		if c.options < len(e.Args) {
			built.Options = p.literal(e.Args[c.options])
		}
		built.FieldManager, built.DryRun, built.FieldValidation = p.clientOptions(args[c.options], instr)
	}
	return built
}

// literal returns the composite literal that an expression is. If the expression is a
// variable, literal returns the composite literal that initializes the variable. It
// returns nil in other cases.
func (p *program) literal(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(u.X)
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return e
	case *ast.Ident:
		v, ok := p.pass.TypesInfo.Uses[e].(*types.Var)
		if !ok {
			return nil
		}
		if lit, ok := p.sources[v.Pos()].(*ast.CompositeLit); ok {
			return lit
		}
	}
	return nil
}

// clientOptions returns the settings in client.Options, or in the options of a manager or
// cluster.
func (p *program) clientOptions(v ssa.Value, at ssa.Instruction) (manager, dryRun, validation Setting) {
	t := v.Type()
	var path []step
	if i, ok := indexOf(t, "Client"); ok && isNamed(fieldType(t, i), clientPath, "Options") {
		if n, ok := indexOf(t, "NewClient"); ok {
			if s := p.flow(managerKind).value(v, []step{step(n)}, at, nil); s.noValue || s.State != Unset {
				return Setting{}, Setting{}, Setting{}
			}
		}
		path, t = []step{step(i)}, fieldType(t, i)
	} else if !isNamed(t, clientPath, "Options") {
		// This version of the manager's options has no client.Options. Its client has no
		// settings, unless NewClient builds the client.
		if i, ok := indexOf(t, "NewClient"); ok {
			if s := p.flow(managerKind).value(v, []step{step(i)}, at, nil); s.noValue || s.State != Unset {
				return Setting{}, Setting{}, Setting{}
			}
		}
		s := Setting{State: Unset}
		return s, s, s
	}
	read := func(k kind, name string) outcome {
		i, ok := indexOf(t, name)
		if !ok {
			return unset
		}
		return p.flow(k).value(v, append(append([]step{}, path...), step(i)), at, nil)
	}
	return p.toClientSetting(read(managerKind, "FieldOwner")),
		p.toClientSetting(toDryRunList(read(forceKind, "DryRun"))),
		p.toClientSetting(read(validationKind, "FieldValidation"))
}

// toClientSetting converts an outcome into a setting of a client.
func (p *program) toClientSetting(out outcome) Setting {
	if out.noValue {
		return Setting{}
	}
	s := out.Setting
	if s.State == Set && s.Constant != nil && constantString(s.Constant) == "" && !s.Sometimes && len(s.Elements) == 0 && !s.Complete {
		return Setting{State: Unset} // wrappers treat the empty string as unset
	}
	if s.State == Unset || s.State == Unknown {
		return Setting{State: s.State}
	}
	s.By, s.SSA = ClientOptions, nil
	return s
}
