package dryrun

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// flagBound is the fact about a field or package variable that holds the value of a
// flag for a dry run.
type flagBound struct {
	Flag     string
	Negative bool
}

// AFact marks flagBound as a fact.
func (*flagBound) AFact() {}

// String returns the text of the fact in tests.
func (f *flagBound) String() string { return "bound to --" + f.Flag }

// binding is a flagBound of this package, with its position.
type binding struct {
	flagBound
	pos token.Pos
}

// bindings finds the variables and fields to which a flag is bound, and those that get
// the value of such a variable.
func bindings(pass *analysis.Pass) map[types.Object]binding {
	b := &binder{pass: pass, bound: map[types.Object]binding{}}
	b.findReaders()
	for _, f := range pass.Files {
		ast.Inspect(f, b.visit)
	}
	b.tags()
	b.propagate()
	b.bindOtherNames()
	b.exportFlagAdders()
	for obj, bind := range b.bound {
		if bind.Flag != "" && obj.Pkg() == pass.Pkg && (obj.Parent() == pass.Pkg.Scope() || isField(obj)) {
			pass.ExportObjectFact(obj, &bind.flagBound)
		}
	}
	return b.bound
}

func isField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField()
}

type binder struct {
	pass   *analysis.Pass
	bound  map[types.Object]binding
	stores []store
	// readers holds the functions that read an environment variable for a dry run.
	readers map[*types.Func]variable
}

// store is an assignment of a field or variable to another one.
type store struct {
	to   types.Object
	from ast.Expr
}

func (b *binder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		b.call(n)
		b.arguments(n)
	case *ast.CompositeLit:
		b.literal(n)
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			for i := range n.Lhs {
				b.store(n.Lhs[i], n.Rhs[i])
			}
		} else if len(n.Rhs) == 1 {
			b.store(n.Lhs[0], n.Rhs[0]) // such as a value and an error
		}
	case *ast.ValueSpec:
		if len(n.Names) == len(n.Values) {
			for i := range n.Names {
				b.store(n.Names[i], n.Values[i])
			}
		}
	}
	return true
}

// store records an assignment. A value such as flag.Bool("dry-run") binds the assigned
// variable to the flag.
func (b *binder) store(to, from ast.Expr) {
	obj := b.object(to)
	if obj == nil || shapeOf(obj.Type()) == 0 {
		return
	}
	if isBool(obj.Type()) {
		if v, ok := b.fromEnvironment(from, 0); ok {
			if _, done := b.bound[obj]; !done {
				_, negative := dryRunName(v.name)
				b.bound[obj] = binding{flagBound{Flag: v.name, Negative: negative != v.negative}, v.pos}
			}
			return
		}
	}
	if call, ok := ast.Unparen(from).(*ast.CallExpr); ok {
		if name, pos, ok := b.flagOf(call); ok {
			if _, pointer := obj.Type().(*types.Pointer); pointer {
				b.bind(obj, name, pos)
			}
			return
		}
	}
	b.stores = append(b.stores, store{obj, from})
}

// call binds the variable x in a call such as BoolVar(&x, "dry-run", …), or in the last
// call of a chain such as Flag("dry-run", …).BoolVar(&x).
func (b *binder) call(call *ast.CallExpr) {
	name, pos, ok := b.flagOf(call)
	if !ok {
		return
	}
	for _, arg := range call.Args {
		arg = ast.Unparen(arg)
		if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
			if obj := b.object(u.X); obj != nil && shapeOf(obj.Type()) != 0 {
				b.bind(obj, name, pos)
			}
			continue
		}
		// The argument is a variable or a field that holds a pointer.
		if obj := b.object(arg); obj != nil {
			if p, ok := types.Unalias(obj.Type()).(*types.Pointer); ok && shapeOf(p.Elem()) != 0 {
				b.bind(obj, name, pos)
			}
		}
	}
}

// flagOf returns the name of the flag that a call declares. In a chain of
// calls, an earlier call can declare the flag.
func (b *binder) flagOf(call *ast.CallExpr) (string, token.Pos, bool) {
	for range 6 {
		for _, arg := range call.Args {
			tv, ok := b.pass.TypesInfo.Types[arg]
			if !ok || tv.Value == nil || tv.Value.Kind() != constant.String {
				continue
			}
			if name := constant.StringVal(tv.Value); flagName(name) {
				return name, arg.Pos(), true
			}
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			break
		}
		inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
		if !ok {
			break
		}
		call = inner
	}
	return "", token.NoPos, false
}

// flagName reports whether a string can name a flag, an environment variable or a
// configuration key for a dry run.
func flagName(s string) bool {
	ok, _ := dryRunName(s)
	return ok
}

// literal binds the variable x in &cli.BoolFlag{Name: "dry-run", Destination: &x}. It
// also records the assignments to fields in a struct literal.
func (b *binder) literal(lit *ast.CompositeLit) {
	name, pos := "", token.NoPos
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			continue
		}
		if key.Name == "Name" {
			if v := b.pass.TypesInfo.Types[kv.Value].Value; v != nil && v.Kind() == constant.String && flagName(constant.StringVal(v)) {
				name, pos = constant.StringVal(v), kv.Value.Pos()
			}
		}
		if v, ok := b.pass.TypesInfo.Uses[key].(*types.Var); ok && v.IsField() {
			b.store(key, kv.Value)
		}
	}
	if name == "" {
		return
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := kv.Key.(*ast.Ident)
		u, ok := ast.Unparen(kv.Value).(*ast.UnaryExpr)
		if key != nil && (key.Name == "Destination" || key.Name == "Target" || key.Name == "Value") && ok && u.Op == token.AND {
			if obj := b.object(u.X); obj != nil && shapeOf(obj.Type()) != 0 {
				b.bind(obj, name, pos)
			}
		}
	}
}

// tags binds the fields whose struct tags name a flag. Libraries such as kong, go-flags
// and those for environment variables use such tags.
func (b *binder) tags() {
	for id, obj := range b.pass.TypesInfo.Defs {
		tn, ok := obj.(*types.TypeName)
		if !ok || id == nil {
			continue
		}
		st, ok := tn.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for i := range st.NumFields() {
			tag := reflect.StructTag(st.Tag(i))
			if tag == "" || shapeOf(st.Field(i).Type()) == 0 {
				continue
			}
			if name := keyIn(tag, st.Field(i), tn); name != "" {
				b.bind(st.Field(i), name, st.Field(i).Pos())
			}
		}
	}
}

// keyIn returns the name for a dry run in the struct tag of a field; "" if there is
// none. The name is that of a flag or an environment variable. If the name of the field
// does not say dry run, it can also be a key in a file. If a tag has a help text, its
// library uses the field's name as the name of the flag.
func keyIn(tag reflect.StructTag, field *types.Var, of *types.TypeName) string {
	keys := []string{"long", "name", "flag", "cmd", "env", "envconfig", "arg"}
	named, _ := dryRunName(field.Name())
	if n, ok := types.Unalias(of.Type()).(*types.Named); !named && (!ok || !isAPI(n)) {
		keys = append(keys, "yaml", "json", "mapstructure", "toml", "koanf")
	}
	for _, key := range keys {
		word, _, _ := strings.Cut(tag.Get(key), ",")
		if word = strings.TrimLeft(word, "-"); word != "" && flagName(word) {
			return word
		}
	}
	if _, ok := tag.Lookup("help"); ok && named {
		return "dry-run"
	}
	return ""
}

// propagate binds the variables that get the value of a bound variable.
func (b *binder) propagate() {
	for range 4 {
		changed := false
		for _, s := range b.stores {
			if _, done := b.bound[s.to]; done {
				continue
			}
			if from, ok := b.lookup(s.from); ok && types.Identical(s.to.Type(), b.pass.TypesInfo.TypeOf(s.from)) {
				b.bound[s.to] = from
				changed = true
			}
		}
		if !changed {
			return
		}
	}
}

// lookup returns the binding of an expression that is a bound variable or field, or the
// target of a pointer in one.
func (b *binder) lookup(e ast.Expr) (binding, bool) {
	e = ast.Unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	obj := b.object(e)
	if obj == nil {
		return binding{}, false
	}
	if bind, ok := b.bound[obj]; ok {
		return bind, true
	}
	var fact flagBound
	if obj.Pkg() != b.pass.Pkg && b.pass.ImportObjectFact(obj, &fact) {
		return binding{flagBound: fact}, true
	}
	return binding{}, false
}

func (b *binder) bind(obj types.Object, name string, pos token.Pos) {
	if _, done := b.bound[obj]; done {
		return
	}
	_, negative := dryRunName(name)
	b.bound[obj] = binding{flagBound{Flag: name, Negative: negative}, pos}
}

// object returns the variable or field that an expression names.
func (b *binder) object(e ast.Expr) types.Object {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	obj := b.pass.TypesInfo.Uses[id]
	if obj == nil {
		obj = b.pass.TypesInfo.Defs[id]
	}
	if v, ok := obj.(*types.Var); ok {
		return v.Origin()
	}
	return nil
}
