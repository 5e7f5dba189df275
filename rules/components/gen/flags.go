package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// components are the programs whose flags are read. fn is the function that
// creates the program's command.
var components = []struct{ name, pkg, fn string }{
	{"kube-apiserver", modKubernetes + "/cmd/kube-apiserver/app", "NewAPIServerCommand"},
	{"kube-controller-manager", modKubernetes + "/cmd/kube-controller-manager/app", "NewControllerManagerCommand"},
	{"kube-proxy", modKubernetes + "/cmd/kube-proxy/app", "NewProxyCommand"},
	{"kube-scheduler", modKubernetes + "/cmd/kube-scheduler/app", "NewSchedulerCommand"},
	{"kubelet", modKubernetes + "/cmd/kubelet/app", "NewKubeletCommand"},
}

// flagFact is a flag of a component in one release.
type flagFact struct {
	Component, Name string
	// Deprecated is the text that the component prints if the deprecated flag is
	// used. It is empty for other flags.
	Deprecated string
	// File is the file that defines the flag, as a path in the repository of
	// Kubernetes.
	File string
}

// walker collects the flags of a component. It starts at the function that
// creates the command, and follows the functions that register flags.
type walker struct {
	*loader
	component string
	flags     map[string]*flagFact
	seen      map[string]bool
	// unresolved are the calls that register a flag whose name could not be
	// evaluated.
	unresolved []string
}

func (l *loader) flagsOf(component, pkg, fn string) ([]flagFact, []string, error) {
	p, err := l.Import(pkg)
	if err != nil {
		return nil, nil, err
	}
	root, ok := p.Scope().Lookup(fn).(*types.Func)
	if !ok {
		return nil, nil, fmt.Errorf("%s has no function %s", pkg, fn)
	}
	w := &walker{loader: l, component: component, flags: map[string]*flagFact{}, seen: map[string]bool{}}
	w.function(root, nil)
	var list []flagFact
	for _, f := range w.flags {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b flagFact) int { return cmp.Compare(a.Name, b.Name) })
	return list, w.unresolved, nil
}

// values are the constant arguments of a call, by the parameter of the function.
type values map[types.Object]constant.Value

// function follows the body of one function.
func (w *walker) function(fn *types.Func, args values) {
	decl := w.bodies[fn]
	if decl == nil {
		return
	}
	key := fn.FullName() + fmt.Sprint(args)
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	switch fn.FullName() {
	case modComponentBase + "/logs.AddFlags":
		w.logFlags(decl)
		return
	case modComponentBase + "/version/verflag.AddFlags":
		w.add(decl.Pos(), "version")
		return
	}
	w.body(decl.Body, args)
}

func (w *walker) body(body ast.Node, args values) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if fullName(w.info.Types[n].Type) == "github.com/spf13/cobra.Command" || strings.HasSuffix(types.ExprString(n.Type), "cobra.Command") {
				return false // the function runs later, when the command runs
			}
		case *ast.RangeStmt:
			return !w.unrollLoop(n, args)
		case *ast.CallExpr:
			w.call(n, args)
		}
		return true
	})
}

// unrollLoop follows the body of a loop over a list of constants, once for each
// constant. It returns false for other loops.
func (w *walker) unrollLoop(loop *ast.RangeStmt, args values) (ok bool) {
	id, isName := loop.Value.(*ast.Ident)
	if !isName {
		return false
	}
	list, isLiteral := ast.Unparen(loop.X).(*ast.CompositeLit)
	if name, ok := loop.X.(*ast.Ident); ok {
		list = w.lists[w.info.Uses[name]]
		isLiteral = list != nil
	}
	if !isLiteral {
		return false
	}
	for _, e := range list.Elts {
		v := w.value(e, args)
		if v == nil {
			return false
		}
		inner := maps.Clone(args)
		if inner == nil {
			inner = values{}
		}
		inner[w.info.Defs[id]] = v
		w.body(loop.Body, inner)
	}
	return true
}

func (w *walker) call(c *ast.CallExpr, args values) {
	var id *ast.Ident
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return
	}
	fn, ok := w.info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return
	}
	signature := fn.Signature()
	if recv := signature.Recv(); recv != nil {
		switch fullName(recv.Type()) {
		case modFlag + ".FlagSet":
			w.flagSetCall(c, fn.Name(), args)
			return
		case modFlag + ".Flag", modComponentBase + "/cli/flag.NamedFlagSets":
			return
		}
		if types.IsInterface(recv.Type()) {
			if fullName(recv.Type()) == modComponentBase+"/logs/api/v1.flagSet" {
				w.flagSetCall(c, fn.Name(), args)
				return
			}
			w.implementations(fn)
			return
		}
	}
	if fn.Pkg().Path() == modComponentBase+"/cli/flag" {
		return // this package only prints flags
	}
	if fn.Pkg().Path() == modKubernetes+"/cmd/kubelet/app/options" && w.libraryFlag(c, fn.Name(), args) {
		return
	}
	if !hasFlagSet(signature) && !createFunction.MatchString(fn.Name()) {
		return
	}
	inner := values{}
	for i, a := range c.Args {
		if v := w.value(a, args); v != nil && i < signature.Params().Len() {
			inner[signature.Params().At(i)] = v
		}
	}
	w.function(fn, inner)
}

// createFunction matches the names of functions that create an object and
// register flags for it.
var createFunction = regexp.MustCompile(`(?i)flags$|^New\w*(Options|Command)`)

// hasFlagSet reports whether a function has a set of flags as a parameter or
// result.
func hasFlagSet(s *types.Signature) bool {
	for _, t := range []*types.Tuple{s.Params(), s.Results()} {
		for v := range t.Variables() {
			switch fullName(v.Type()) {
			case modFlag + ".FlagSet", modComponentBase + "/cli/flag.NamedFlagSets":
				return true
			}
		}
	}
	return false
}

// fullName returns the full name of a named type, or of the named type that a
// pointer type points to. It returns "" for other types.
func fullName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return ""
}

// implementations follows a method of an interface in all types of the
// interface's package that have the method.
func (w *walker) implementations(fn *types.Func) {
	if !hasFlagSet(fn.Signature()) {
		return
	}
	scope := fn.Pkg().Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(obj.Type()) {
			continue
		}
		if m, _, _ := types.LookupFieldOrMethod(obj.Type(), true, fn.Pkg(), fn.Name()); m != nil {
			if concrete, ok := m.(*types.Func); ok {
				w.function(concrete, nil)
			}
		}
	}
}

// defineMethod matches the names of a flag set's methods that define a flag.
var defineMethod = regexp.MustCompile(`^(Bool|BytesHex|BytesBase64|Count|Duration|Float|Func|IP|Int|String|Uint|Var|TextVar)\w*$`)

// flagSetCall evaluates a call of a method of a flag set.
func (w *walker) flagSetCall(c *ast.CallExpr, method string, args values) {
	switch {
	case method == "MarkDeprecated" || method == "MarkHidden" || method == "MarkShorthandDeprecated":
		name, ok := w.text(c.Args[0], args)
		if !ok {
			w.lost(c)
			return
		}
		f := w.flags[name]
		if method != "MarkDeprecated" || f == nil {
			return
		}
		if text, ok := w.text(c.Args[1], args); ok {
			f.Deprecated = text
		} else {
			w.lost(c)
		}
	case defineMethod.MatchString(method):
		// The name is the argument after the pointer, if there is one.
		i := 0
		if strings.Contains(method, "Var") {
			i = 1
		}
		if i >= len(c.Args) {
			return
		}
		name, ok := w.text(c.Args[i], args)
		if !ok {
			w.lost(c)
			return
		}
		w.add(c.Pos(), name)
	}
}

// libraryFlag evaluates a call with which the kubelet registers a flag of a
// library. It returns false for other calls.
func (w *walker) libraryFlag(c *ast.CallExpr, fn string, args values) bool {
	switch fn {
	case "register", "pflagRegister", "registerDeprecated":
	default:
		return false
	}
	name, ok := w.text(c.Args[2], args)
	if !ok {
		w.lost(c)
		return true
	}
	name = strings.ReplaceAll(name, "_", "-")
	w.add(c.Pos(), name)
	if fn == "registerDeprecated" {
		w.flags[name].Deprecated, _ = w.text(c.Args[3], args)
	}
	return true
}

func (w *walker) add(pos token.Pos, name string) {
	name = strings.ReplaceAll(name, "_", "-") // all components accept _ for -
	if w.flags[name] == nil {
		w.flags[name] = &flagFact{Component: w.component, Name: name, File: w.src.repositoryPath(w.fset.Position(pos).Filename)}
	}
}

func (w *walker) lost(n ast.Node) {
	at := w.fset.Position(n.Pos())
	w.unresolved = append(w.unresolved, fmt.Sprintf("%s: %s:%d", w.component, filepath.Base(at.Filename), at.Line))
}

// text evaluates a constant string. ok is false if the expression is not
// constant.
func (w *walker) text(e ast.Expr, args values) (_ string, ok bool) {
	v := w.value(e, args)
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// sprintf evaluates a call of fmt.Sprintf with strings. It returns nil if an
// argument is not constant.
func (w *walker) sprintf(list []ast.Expr, args values) constant.Value {
	format, ok := w.text(list[0], args)
	if !ok || strings.Count(format, "%") != len(list)-1 {
		return nil
	}
	for _, a := range list[1:] {
		text, ok := w.text(a, args)
		if !ok {
			return nil
		}
		format = strings.Replace(format, "%s", text, 1)
	}
	return constant.MakeString(format)
}

// value evaluates a constant expression. It returns nil if the expression is not
// constant.
func (w *walker) value(e ast.Expr, args values) constant.Value {
	if tv, ok := w.info.Types[e]; ok && tv.Value != nil {
		return tv.Value
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.Ident:
		obj := w.info.Uses[e]
		if v := args[obj]; v != nil {
			return v
		}
		if c, ok := obj.(*types.Const); ok {
			return c.Val()
		}
	case *ast.BinaryExpr:
		x, y := w.value(e.X, args), w.value(e.Y, args)
		if x != nil && y != nil && e.Op == token.ADD && x.Kind() == constant.String && y.Kind() == constant.String {
			return constant.MakeString(constant.StringVal(x) + constant.StringVal(y))
		}
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" && len(e.Args) > 0 {
			return w.sprintf(e.Args, args)
		}
	}
	return nil
}
