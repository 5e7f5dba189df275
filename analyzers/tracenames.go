package analyzers

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// calleeName is the name of the function, method or type that is called.
func calleeName(call *ast.CallExpr) string {
	switch fn := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		return fn.Sel.Name
	}
	return ""
}

// signs reports whether what is called so holds a field manager or a user agent.
func signs(called string) (agent, ok bool) {
	called = strings.ToLower(called)
	if strings.HasSuffix(called, "useragent") {
		return true, true
	}
	for _, end := range []string{"fieldmanager", "fieldowner", "fieldmanagername", "fieldownername"} {
		if strings.HasSuffix(called, end) {
			return false, true
		}
	}
	return false, false
}

// name notes what a field, variable, function or option is given that is called
// as those are that hold a field manager or a user agent.
func (t *Trace) name(pass *analysis.Pass, called string, value ast.Expr) {
	agent, ok := signs(called)
	if !ok {
		return
	}
	add := func(v string) {
		if v != "" {
			t.Names = append(t.Names, TracedName{Value: v, Agent: agent, Pos: pass.Fset.PositionFor(value.Pos(), false)})
		}
	}
	add(t.known.text(value))
	if agent {
		for _, product := range t.known.products(value) {
			add(product)
		}
	}
}

// argument notes the names that a function is given: of one for user agents any
// that may be one, of others the last, behind the client or the options.
func (t *Trace) argument(pass *analysis.Pass, call *ast.CallExpr) {
	if len(call.Args) == 0 {
		return
	}
	called := calleeName(call)
	agent, ok := signs(called)
	if !ok {
		return
	}
	if !agent {
		t.name(pass, called, call.Args[len(call.Args)-1])
		return
	}
	for _, arg := range call.Args {
		if ofRuntime(pass.TypesInfo, arg) {
			continue
		}
		if v := pass.TypesInfo.Types[ast.Unparen(arg)].Value; v == nil || nameLike().MatchString(t.known.text(arg)) {
			t.name(pass, called, arg)
		}
	}
}

// ofRuntime reports whether an expression is a constant of package runtime. User agents
// contain the platform.
func ofRuntime(info *types.Info, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	obj := info.Uses[sel.Sel]
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "runtime"
}

// nameLike is what programs are called.
var nameLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*(/[^\s]*)?$`) })

// returned notes what a function gives that is called as those are that make a
// user agent.
func (t *Trace) returned(pass *analysis.Pass, fn *ast.FuncDecl) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if ret, ok := n.(*ast.ReturnStmt); ok && len(ret.Results) > 0 {
			if b, ok := pass.TypesInfo.TypeOf(ret.Results[0]).(*types.Basic); ok && b.Info()&types.IsString != 0 {
				t.name(pass, fn.Name.Name, ret.Results[0])
			}
		}
		return true
	})
}

// dispatched notes the names that a function of a program compares with the one
// that it was started by.
func (t *Trace) dispatched(pass *analysis.Pass, body *ast.BlockStmt) {
	started := false
	ast.Inspect(body, func(n ast.Node) bool {
		if x, ok := n.(*ast.IndexExpr); ok {
			if sel, ok := ast.Unparen(x.X).(*ast.SelectorExpr); ok && sel.Sel.Name == "Args" {
				if obj := pass.TypesInfo.Uses[sel.Sel]; obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "os" {
					v := pass.TypesInfo.Types[x.Index].Value
					started = started || v != nil && v.ExactString() == "0"
				}
			}
		}
		return true
	})
	if !started {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		clause, ok := n.(*ast.CaseClause)
		if !ok {
			return true
		}
		for _, e := range clause.List {
			if v := t.known.text(e); nameLike().MatchString(v) && !strings.Contains(v, "/") {
				t.Names = append(t.Names, TracedName{Value: v, Program: true, Pos: pass.Fset.PositionFor(e.Pos(), false)})
			}
		}
		return true
	})
}

// products are the names before a version in a constant format of a user agent: "shop"
// in "%s/%s (%s) shop/%s".
func (k *knownTexts) products(e ast.Expr) (names []string) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || calleeName(call) != "Sprintf" || len(call.Args) == 0 {
		return nil
	}
	format, _ := k.whole(call.Args[0])
	for _, m := range productLike().FindAllStringSubmatch(format, -1) {
		if m[1] != "kubernetes" {
			names = append(names, m[1])
		}
	}
	return names
}

// productLike is a product token behind the first.
var productLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` ([A-Za-z][A-Za-z0-9_.-]*)/`) })

// constantText is a text that is constant, or up to its first slash is.
func (k *knownTexts) text(e ast.Expr) string {
	e = ast.Unparen(e)
	if v, ok := k.whole(e); ok {
		return v
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return beforeSlash(k.leftmost(e))
		}
	case *ast.CallExpr:
		if name := calleeName(e); (name == "Sprintf" || name == "Sprint") && len(e.Args) > 0 {
			return beforeSlash(k.formatted(e.Args))
		}
		if len(e.Args) == 1 && k.info.Types[e.Fun].IsType() { // client.FieldOwner(name)
			return k.text(e.Args[0])
		}
	}
	return ""
}

// formatted is the constant beginning of what a format makes of its arguments.
func (k *knownTexts) formatted(args []ast.Expr) string {
	format, ok := k.whole(args[0])
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, arg := range args[1:] {
		before, after, ok := strings.Cut(format, "%")
		b.WriteString(before)
		if !ok || after == "" || after[0] != 's' && after[0] != 'v' {
			return b.String()
		}
		text, ok := k.whole(arg)
		if !ok {
			return b.String()
		}
		b.WriteString(text)
		format = after[1:]
	}
	before, _, _ := strings.Cut(format, "%")
	return b.String() + before
}

// leftmost is the constant that a sum begins with.
func (k *knownTexts) leftmost(e ast.Expr) string {
	for {
		e = ast.Unparen(e)
		if v, ok := k.whole(e); ok {
			return v
		}
		b, ok := e.(*ast.BinaryExpr)
		if !ok {
			return ""
		}
		// In "a" + "/" + v, the first two are constant together.
		e = b.X
	}
}

// beforeSlash is what of a beginning is certain to be the first word of a user
// agent.
func beforeSlash(text string) string {
	name, _, ok := strings.Cut(text, "/")
	if !ok {
		return ""
	}
	return name
}

// knownTexts knows the texts of a package that are constant, and those that its
// variables begin with: a linker may give them others, but seldom does to names.
type knownTexts struct {
	info    *types.Info
	initial map[types.Object]string
}

func newKnownTexts(pass *analysis.Pass) *knownTexts {
	k := &knownTexts{info: pass.TypesInfo, initial: map[types.Object]string{}}
	for _, f := range pass.Files {
		for _, decl := range f.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR {
				continue
			}
			for _, spec := range group.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, id := range spec.Names {
					if len(spec.Values) != len(spec.Names) {
						break
					}
					if v := pass.TypesInfo.Types[spec.Values[i]].Value; v != nil && v.Kind() == constant.String && constant.StringVal(v) != "" {
						k.initial[pass.TypesInfo.Defs[id]] = constant.StringVal(v)
					}
				}
			}
		}
	}
	return k
}

// whole is a text that is known in full.
func (k *knownTexts) whole(e ast.Expr) (string, bool) {
	e = ast.Unparen(e)
	if v := k.info.Types[e].Value; v != nil {
		if v.Kind() != constant.String {
			return "", false
		}
		return constant.StringVal(v), true
	}
	if id, ok := e.(*ast.Ident); ok {
		v, ok := k.initial[k.info.Uses[id]]
		return v, ok
	}
	return "", false
}
