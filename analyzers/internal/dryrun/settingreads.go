package dryrun

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/analysis"
)

// settingReads is the fact about a package and the packages of the module that it imports,
// directly or not. It exists if one of them declares settings with a dry run.
type settingReads struct {
	// Fields holds the fields of such settings that code may read, with names such as
	// example.org/shop/config.Config.DryRun.
	Fields []string
	// Set holds the fields of such settings to which code may give a value.
	Set []string
	// ByName is true if code looks up a dry run by its name, for example in viper.
	ByName bool
}

// AFact marks settingReads as a fact.
func (*settingReads) AFact() {}

// String returns the text of the fact in tests.
func (r *settingReads) String() string { return "reads settings" }

// settingsScan finds the fields of settings that the code of a package may read. It needs
// no SSA code, because packages that cannot use Kubernetes have none.
type settingsScan struct {
	pass *analysis.Pass
	vars *dryRunVars
	// fields holds the names of the fields of settings, by the package that declares them.
	fields map[*types.Package]map[*types.Var]string
	// set holds the names of fields at which code only sets or prints the field.
	set map[*ast.Ident]bool
	// loading holds the calls whose results code stores in settings.
	loading map[*ast.CallExpr]bool
	read    map[string]bool
	given   map[string]bool
	byName  bool
}

// scanSettings exports the fact settingReads, and returns it. It returns nil if neither the
// package nor its imports declare settings with a dry run.
func scanSettings(pass *analysis.Pass, vars *dryRunVars) *settingReads {
	r := &settingsScan{
		pass: pass, vars: vars, fields: map[*types.Package]map[*types.Var]string{},
		set: map[*ast.Ident]bool{}, loading: map[*ast.CallExpr]bool{}, read: map[string]bool{}, given: map[string]bool{},
	}
	known := len(r.fieldsIn(pass.Pkg)) > 0
	for _, p := range pass.Pkg.Imports() {
		var fact settingReads
		if vars.isLocal(p) && pass.ImportPackageFact(p, &fact) {
			known = true
			r.byName = r.byName || fact.ByName
			for _, f := range fact.Fields {
				r.read[f] = true
			}
			for _, f := range fact.Set {
				r.given[f] = true
			}
		}
	}
	if !known {
		return nil
	}
	for _, f := range pass.Files {
		if !strings.HasSuffix(pass.Fset.File(f.FileStart).Name(), "_test.go") {
			ast.Inspect(f, r.visit)
		}
	}
	fact := &settingReads{Fields: slices.Sorted(maps.Keys(r.read)), Set: slices.Sorted(maps.Keys(r.given)), ByName: r.byName}
	pass.ExportPackageFact(fact)
	return fact
}

// fieldsIn returns the names of the fields of all settings that a package declares.
func (r *settingsScan) fieldsIn(p *types.Package) map[*types.Var]string {
	if got, ok := r.fields[p]; ok {
		return got
	}
	got := map[*types.Var]string{}
	r.fields[p] = got
	if !r.vars.isLocal(p) {
		return got
	}
	for _, name := range p.Scope().Names() {
		tn, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || r.vars.settingOf(n) == nil {
			continue
		}
		for f := range n.Underlying().(*types.Struct).Fields() {
			got[f] = settingName(n, f)
		}
	}
	return got
}

// settingName returns the name of a field of settings in a fact.
func settingName(n *types.Named, f *types.Var) string {
	return n.Obj().Pkg().Path() + "." + n.Obj().Name() + "." + f.Name()
}

// settingOf returns the field for the dry run of the whole program in a type of settings.
// It guesses from names, and returns nil for other types.
func (w *dryRunVars) settingOf(n *types.Named) *types.Var {
	st, ok := n.Underlying().(*types.Struct)
	if !ok || n.Obj().Pkg() == nil || n.TypeParams().Len() > 0 {
		return nil
	}
	named := hasPart(n.Obj().Name(), "config", "setting", "option", "flag", "cfg", "conf", "args", "opts", "params")
	for f := range st.Fields() {
		if !named && !w.describe(f).bound {
			continue
		}
		if oneOf(squeeze(f.Name()), []string{"dryrun", short, "isdryrun", "dryrunmode", "dryrunenabled", "enabledryrun", "dryrunonly"}) && shapeOf(f.Type()) == Bool && !isAPI(n) {
			return f
		}
	}
	return nil
}

func (r *settingsScan) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
			break
		}
		for i, to := range n.Lhs {
			field := r.sets(to)
			if len(n.Lhs) == len(n.Rhs) {
				r.stores(n.Rhs[i], r.pass.TypesInfo.TypeOf(to), field)
			} else if field != "" {
				r.stores(n.Rhs[0], nil, field)
			}
		}
	case *ast.CompositeLit:
		r.literal(n)
	case *ast.CallExpr:
		r.call(n)
	case *ast.Ident:
		if v, ok := r.pass.TypesInfo.Uses[n].(*types.Var); ok && v.IsField() && !r.set[n] {
			if name := r.fieldsIn(v.Pkg())[v.Origin()]; name != "" {
				r.read[name] = true
			}
		}
	}
	return true
}

// sets records that code sets or prints the field that an expression selects. It returns
// the name of the field, or "" if the field does not belong to settings.
func (r *settingsScan) sets(e ast.Expr) string {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(u.X)
	}
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	r.set[sel.Sel] = true
	if v, ok := r.pass.TypesInfo.Uses[sel.Sel].(*types.Var); ok && v.IsField() {
		return r.fieldsIn(v.Pkg())[v.Origin()]
	}
	return ""
}

// stores records that code stores the value of an expression in a place of type to. field is
// the name of the place if it is a field of settings.
func (r *settingsScan) stores(e ast.Expr, to types.Type, field string) {
	if to != nil && isAny(to) {
		r.escapes(e)
	}
	if field != "" {
		if r.pass.TypesInfo.Types[e].Value == nil {
			r.given[field] = true
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				r.loading[call] = true
			}
			return true
		})
	}
}

func (r *settingsScan) literal(lit *ast.CompositeLit) {
	t := r.pass.TypesInfo.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	var elem types.Type
	switch t := t.Underlying().(type) {
	case *types.Map:
		elem = t.Elem()
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		elem = t.Elem()
	}
	for _, e := range lit.Elts {
		to := elem
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			if to != nil {
				r.stores(e, to, "")
			}
			continue
		}
		field := ""
		if key, ok := kv.Key.(*ast.Ident); ok && to == nil {
			r.set[key] = true
			if v, ok := r.pass.TypesInfo.Uses[key].(*types.Var); ok && v.IsField() {
				to, field = v.Type(), r.fieldsIn(v.Pkg())[v.Origin()]
			}
		}
		r.stores(kv.Value, to, field)
	}
}

// isAny reports whether a type is an interface without methods. Code that gets a value in
// one can only read it by reflection, or convert it back.
func isAny(t types.Type) bool {
	if s, ok := t.(*types.Slice); ok {
		t = s.Elem() // variadic
	}
	i, ok := t.Underlying().(*types.Interface)
	_, param := types.Unalias(t).(*types.TypeParam)
	return ok && !param && i.Empty()
}

// call records what a call may read: a value that it passes as an interface, or a dry run
// that it looks up by its name.
func (r *settingsScan) call(call *ast.CallExpr) {
	name, pkg := r.callee(call)
	prints := isPrinter(name, pkg)
	named := false
	for _, arg := range call.Args {
		tv := r.pass.TypesInfo.Types[arg]
		named = named || tv.Value != nil && tv.Value.Kind() == constant.String && flagName(constant.StringVal(tv.Value))
	}
	for _, arg := range call.Args {
		u, ok := ast.Unparen(arg).(*ast.UnaryExpr)
		address := ok && u.Op == token.AND
		if prints || address && (named || fills(name)) {
			if field := r.sets(arg); field != "" && !prints {
				r.given[field] = true
			}
		}
		if fills(name) && !prints {
			r.eachField(r.pass.TypesInfo.TypeOf(arg), 0, r.given)
		}
	}
	if r.pass.TypesInfo.Types[call.Fun].IsType() && len(call.Args) == 1 {
		r.escapes(call.Args[0]) // a conversion to a type with other fields
	}
	sig, ok := r.pass.TypesInfo.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return
	}
	if !prints && !fills(name) && name != "WithValue" {
		for i, arg := range call.Args {
			if last := sig.Params().Len() - 1; last >= 0 && isAny(sig.Params().At(min(i, last)).Type()) {
				r.escapes(arg)
			}
		}
	}
	if !named || prints || r.loading[call] || sig.Results().Len() == 0 || pkg == "os" && len(r.fieldsIn(r.pass.Pkg)) > 0 {
		return
	}
	if b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic); ok && b.Info()&(types.IsBoolean|types.IsString) != 0 && name != "Sprintf" {
		r.byName = true
	}
}

// callee returns the name of the function that a call runs, and its package.
func (r *settingsScan) callee(call *ast.CallExpr) (name, pkg string) {
	id := apicall.CalledName(call)
	if id == nil {
		return "", ""
	}
	obj := r.pass.TypesInfo.Uses[id]
	if obj == nil {
		return "", ""
	}
	if obj.Pkg() != nil {
		pkg = unvendored(obj.Pkg().Path())
	}
	return obj.Name(), pkg
}

// isPrinter reports whether a function of a library prints or logs its arguments.
func isPrinter(name, pkg string) bool {
	if pkg == "fmt" {
		return strings.HasPrefix(name, "Print") || strings.HasPrefix(name, "Fprint")
	}
	return pkg == "log" || pkg == "log/slog" || slices.ContainsFunc([]string{"klog", "logr", "zap", "logrus", "zerolog", "glog"}, func(part string) bool {
		return pkg == part || strings.Contains(pkg, "/"+part)
	})
}

// fills guesses from the name of a function whether it only sets the fields of its
// argument.
func fills(name string) bool {
	return decodes(name) || hasPart(name, "load", "mapto", "default", "readfile", "fill")
}

// escapes records that code may read all fields of the settings in a value.
func (r *settingsScan) escapes(e ast.Expr) {
	r.eachField(r.pass.TypesInfo.TypeOf(e), 0, r.read)
}

// eachField adds to found the fields of all settings in a value of type t.
func (r *settingsScan) eachField(t types.Type, depth int, found map[string]bool) {
	if t == nil || depth > maxOrigin {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		r.eachField(t.Elem(), depth, found)
	case *types.Slice:
		r.eachField(t.Elem(), depth+1, found)
	case *types.Map:
		r.eachField(t.Elem(), depth+1, found)
	case *types.Named:
		st, ok := t.Underlying().(*types.Struct)
		if !ok || !r.vars.isLocal(t.Obj().Pkg()) {
			return
		}
		fields := r.fieldsIn(t.Obj().Pkg())
		for f := range st.Fields() {
			if name := fields[f.Origin()]; name != "" {
				found[name] = true
			}
			r.eachField(f.Type(), depth+1, found)
		}
	}
}
