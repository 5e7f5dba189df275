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

// calleeName returns the name of the function, method or type that a call names. It is
// empty for the call of any other expression.
func calleeName(call *ast.CallExpr) string {
	switch fn := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		return fn.Sel.Name
	}
	return ""
}

// signs reports whether the name of a variable, field or function says that its value
// contains a field manager or a user agent. agent is set for a user agent. Case does not
// matter.
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

// name records the constant texts in value, if signs is true for called. called is the name
// of a variable, field or option with this value, or of a function that returns the value.
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

// argument records the names in the arguments of a call, if signs is true for the called
// function. A user agent can be in any argument. A field manager is in the last argument,
// after the client or the options.
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

// ofRuntime reports whether an expression is a name of package runtime, such as
// runtime.GOOS. In a user agent, it is the platform, not the name of a program.
func ofRuntime(info *types.Info, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	obj := info.Uses[sel.Sel]
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "runtime"
}

// nameLike returns the pattern of a user agent or a program's name: one word, and
// optionally a slash and more text without spaces.
var nameLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*(/[^\s]*)?$`) })

// returned records the texts that a function returns as its first result.
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

// dispatched records the names of programs in a function that reads os.Args[0]: the
// constant cases of its switches. A program with several names compares its name with them.
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

// products returns the names before a version in a constant format of a user agent, except
// the first name. For "%s/%s (%s) shop/%s" it returns "shop".
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

// productLike returns the pattern of a later product in a user agent: a space, the name and
// a slash.
var productLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` ([A-Za-z][A-Za-z0-9_.-]*)/`) })

// text returns the value of a constant text. If only the beginning of the text is constant,
// it returns the beginning before its first slash, or "" without a slash.
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

// formatted returns the constant beginning of a formatted text. args are the arguments of
// Sprintf. It stops at the first verb whose argument is not a known text.
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

// leftmost returns the constant at the beginning of a sum, or "" if the sum begins with
// something else.
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
		// The parser nests "a" + "/" + v as ("a" + "/") + v. The constant is "a" +
		// "/".
		e = b.X
	}
}

// beforeSlash returns the text before the first slash, which is the name in a user agent.
// It returns "" if there is no slash, because the name may be incomplete.
func beforeSlash(text string) string {
	name, _, ok := strings.Cut(text, "/")
	if !ok {
		return ""
	}
	return name
}

// knownTexts returns the texts of constants and of the initial values of variables in one
// package. A linker flag may replace an initial value, but rarely one that is a name.
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

// whole returns the text of an expression if all of it is known.
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
