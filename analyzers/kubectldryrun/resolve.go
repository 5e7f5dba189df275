package kubectldryrun

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
)

// resolver finds the values of expressions at the place of a call.
type resolver struct {
	*checker
	use call
	// self has the value that a variable has before the assignment under examination.
	self map[types.Object][]line
	// optional is set if the examined code runs under a condition.
	optional bool
	depth    int
}

// maxDepth limits how many variables and functions are followed to find a value.
const maxDepth = 6

// maxSteps limits the number of slices whose contents are searched for one call.
const maxSteps = 1000

var unknown = []line{{item{repeated: true}}}

// list returns the possible contents of a slice of arguments.
func (r *resolver) list(e ast.Expr, depth int) []line {
	if r.steps++; depth > maxDepth || r.steps > maxSteps {
		return unknown
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		lines := []line{nil}
		for _, elt := range e.Elts {
			if _, keyed := elt.(*ast.KeyValueExpr); keyed {
				return unknown
			}
			lines = r.product(lines, []line{r.scalar(elt)})
		}
		return lines
	case *ast.Ident:
		if e.Name == "nil" && r.pass.TypesInfo.Types[e].IsNil() {
			return []line{nil}
		}
		return r.variable(e, depth)
	case *ast.CallExpr:
		return r.listCall(e, depth)
	}
	return unknown
}

// listCall returns the possible arguments that a call returns.
func (r *resolver) listCall(e *ast.CallExpr, depth int) []line {
	if tv := r.pass.TypesInfo.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
		return r.list(e.Args[0], depth+1)
	}
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if b, ok := r.pass.TypesInfo.Uses[id].(*types.Builtin); ok && b.Name() == "append" && len(e.Args) > 0 {
			return r.product(r.list(e.Args[0], depth+1), r.arguments(e, 1))
		}
	}
	fn := callee(r.pass.TypesInfo, e)
	if fn == nil || fn.Pkg() == nil {
		return unknown
	}
	switch fn.FullName() {
	case "slices.Concat":
		if e.Ellipsis.IsValid() {
			return unknown
		}
		lines := []line{nil}
		for _, arg := range e.Args {
			lines = r.product(lines, r.list(arg, depth+1))
		}
		return lines
	case "slices.Clone":
		return r.list(e.Args[0], depth+1)
	case "strings.Fields", "strings.Split":
		text, ok := r.constant(e.Args[0])
		if ok && (len(e.Args) == 1 || r.isSpace(e.Args[1])) {
			var l line
			for _, word := range strings.Fields(text) {
				l = append(l, item{text: word, at: e.Args[0], optional: r.optional})
			}
			return []line{l}
		}
		return unknown
	}
	return r.returned(fn, e, depth)
}

func (r *resolver) isSpace(e ast.Expr) bool {
	text, ok := r.constant(e)
	return ok && text == " "
}

// returned returns the results of a function of the package for a call. It replaces the
// function's parameters by the arguments of the call.
func (r *resolver) returned(fn *types.Func, e *ast.CallExpr, depth int) []line {
	returns := r.index.returns[fn]
	if len(returns) == 0 || len(returns) > maxLines || r.depth > 2 {
		return unknown
	}
	variadic := -1
	if sig := fn.Signature(); sig.Variadic() {
		variadic = sig.Params().Len() - 1
	}
	caller := *r
	caller.use = call{expr: e, in: r.use.in, path: r.use.path}
	var all []line
	for _, v := range returns {
		inner := &resolver{checker: r.checker, use: call{expr: &ast.CallExpr{Fun: e.Fun, Lparen: v.pos}, path: v.path}, depth: r.depth + 1}
		for _, l := range inner.list(v.expr, depth+1) {
			filled := []line{nil}
			for _, it := range l {
				filled = r.product(filled, caller.fill(it, variadic))
			}
			all = append(all, filled...)
		}
	}
	if r.optional {
		for i := range all {
			all[i] = all[i].allOptional()
		}
	}
	return all[:min(len(all), maxLines)]
}

// variable returns the possible contents that a slice variable has at the call.
func (r *resolver) variable(id *ast.Ident, depth int) []line {
	obj, ok := r.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || obj.IsField() {
		return unknown
	}
	if held, ok := r.self[obj]; ok {
		return held
	}
	held := []line{nil}
	if n := r.index.params[obj]; n > 0 {
		held = []line{{item{param: n, spread: true, repeated: true, optional: r.optional}}}
	} else if obj.Kind() != types.LocalVar && obj.Kind() != types.ResultVar && obj.Kind() != types.PackageVar {
		held = unknown // a parameter of a function literal
	}
	values := r.index.values[obj]
	if obj.Parent() == r.pass.Pkg.Scope() {
		if len(values) != 1 || values[0].expr == nil {
			return unknown
		}
		inner := *r
		inner.optional = false
		return inner.list(values[0].expr, depth+1)
	}
	use := r.use.expr.Lparen
	for _, v := range values {
		if v.pos >= use {
			break
		}
		certain := always(v.path, r.use.path)
		inner := r.before(v)
		inner.self = map[types.Object][]line{obj: held}
		grows := v.expr != nil && mentions(r.pass.TypesInfo, v.expr, obj)
		inner.optional = grows && !certain
		given := unknown
		if v.expr != nil {
			given = inner.list(v.expr, depth+1)
		}
		if grows || certain {
			held = given
		} else {
			held = append(slices.Clone(held), given...)
		}
		held = held[:min(len(held), maxLines)]
	}
	return held
}

// before returns a resolver for the position of an assignment to a variable.
func (r *resolver) before(v value) *resolver {
	inner := *r
	inner.use = call{expr: &ast.CallExpr{Lparen: v.pos}, path: v.path}
	return &inner
}

// certainValue returns the value that a string variable certainly has at the call. It
// returns false if there is no such value.
func (r *resolver) certainValue(obj *types.Var) (value, bool) {
	values := r.index.values[obj]
	if obj.Parent() == r.pass.Pkg.Scope() {
		return first(values), len(values) == 1 && values[0].expr != nil
	}
	if r.index.params[obj] > 0 || obj.Kind() != types.LocalVar && obj.Kind() != types.ResultVar {
		return value{}, false
	}
	var last value
	for _, v := range values {
		if v.pos >= r.use.expr.Lparen {
			break
		}
		last = v
		if !always(v.path, r.use.path) {
			last.expr = nil // some runs skip this assignment
		}
	}
	for _, n := range r.use.path[min(len(last.path), len(r.use.path)):] {
		if _, later := n.(*ast.FuncLit); later && len(values) > 1 {
			return value{}, false // the literal may run after other assignments
		}
	}
	return last, last.expr != nil
}

func first(values []value) value {
	if len(values) == 0 {
		return value{}
	}
	return values[0]
}

func mentions(info *types.Info, e ast.Expr, obj types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && info.Uses[id] == obj
		return !found
	})
	return found
}

// scalar returns the items for an expression that is one argument. The result has
// several items if the argument can be one of several flags.
func (r *resolver) scalar(e ast.Expr) line {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if obj, ok := r.pass.TypesInfo.Uses[id].(*types.Var); ok && !obj.IsField() {
			return r.choice(e, obj)
		}
	}
	return line{{text: r.text(e, 0), at: e, optional: r.optional}}
}

// choice returns the values that a string variable can have at the call.
func (r *resolver) choice(e ast.Expr, obj *types.Var) line {
	values := r.index.values[obj]
	n := r.index.params[obj]
	switch {
	case n > 0 && len(values) == 0:
		return line{{text: hole, at: e, param: n, optional: r.optional}}
	}
	if v, ok := r.certainValue(obj); ok {
		return line{{text: r.before(v).text(v.expr, 1), at: v.expr, optional: r.optional}}
	}
	var flags line
	var usual []string
	known := n == 0
	for _, v := range values {
		if v.expr == nil {
			known = false
			continue
		}
		text, ok := r.constant(v.expr)
		switch {
		case !ok:
			known = false
		case strings.HasPrefix(text, "-"):
			flags = append(flags, item{text: text, at: v.expr, optional: true})
		case text != "":
			usual = append(usual, text)
		}
	}
	slices.Sort(usual)
	usual = slices.Compact(usual)
	switch {
	case known && len(usual) == 0 && len(flags) > 0:
		return flags
	case n == 0 && len(usual) == 1 && len(flags) == 0:
		return line{{text: hole, at: e, optional: r.optional, likely: usual[0]}}
	}
	return line{{text: hole, at: e, optional: r.optional}}
}

func (r *resolver) constant(e ast.Expr) (string, bool) {
	tv := r.pass.TypesInfo.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return "", false
	}
	text := constant.StringVal(tv.Value)
	return text, !strings.ContainsAny(text, hole+booleanHole)
}

// text returns a string with holes for its unknown parts.
func (r *resolver) text(e ast.Expr, depth int) string {
	if text, ok := r.constant(e); ok {
		return text
	}
	if depth > maxDepth {
		return hole
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return r.text(e.X, depth) + r.text(e.Y, depth)
	case *ast.Ident:
		if obj, ok := r.pass.TypesInfo.Uses[e].(*types.Var); ok && !obj.IsField() {
			if v, ok := r.certainValue(obj); ok {
				return r.before(v).text(v.expr, depth+1)
			}
		}
	case *ast.CallExpr:
		fn := callee(r.pass.TypesInfo, e)
		if fn == nil || fn.Pkg() == nil {
			return hole
		}
		switch {
		case fn.FullName() == "strconv.FormatBool":
			return booleanHole
		case fn.FullName() == "fmt.Sprintf" && !e.Ellipsis.IsValid():
			return r.formatted(e, depth)
		}
	}
	return hole
}

// verb matches a verb of a format, with flags, width and precision. It does not match verbs
// with an argument index, such as %[1]s.
var verb = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[-+# 0]*[0-9]*(\.[0-9]*)?[a-zA-Z%]`) })

// formatted returns the result of fmt.Sprintf, with holes.
func (r *resolver) formatted(e *ast.CallExpr, depth int) string {
	format, ok := r.constant(e.Args[0])
	if !ok {
		return hole
	}
	if strings.Contains(format, "%[") || strings.Contains(format, "*") {
		before, _, _ := strings.Cut(format, "%")
		return before + hole
	}
	next := 1
	return verb().ReplaceAllStringFunc(format, func(v string) string {
		if v == "%%" {
			return "%"
		}
		if next >= len(e.Args) {
			return hole
		}
		arg := e.Args[next]
		next++
		t := r.pass.TypesInfo.TypeOf(arg)
		if t == nil {
			return hole
		}
		basic, _ := t.Underlying().(*types.Basic)
		switch {
		case basic == nil:
		case v == "%s" || v == "%v":
			if basic.Info()&types.IsString != 0 {
				return r.text(arg, depth+1)
			}
			fallthrough
		case v == "%t":
			if basic.Info()&types.IsBoolean != 0 {
				return booleanHole
			}
		}
		return hole
	})
}

// asksVersion reports whether a call finds out or compares versions, of kubectl or of the
// server.
func asksVersion(info *types.Info, e *ast.CallExpr) bool {
	fn := callee(info, e)
	if fn == nil {
		return false
	}
	if strings.Contains(strings.ToLower(fn.Name()), "version") {
		return true
	}
	return fn.Pkg() != nil && strings.HasSuffix(strings.ToLower(edit.Unvendored(fn.Pkg().Path())), "semver")
}
