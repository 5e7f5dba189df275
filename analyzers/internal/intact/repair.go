package intact

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strings"
)

// repair returns a copy of the body of a function without the statements that do not
// compile and that cannot decide whether other code runs, such as a call of a logger. In
// returned errors, it replaces calls of unknown functions. ok is false if other code of the
// body does not compile.
func (c *checker) repair(code *Code, body *ast.BlockStmt) (_ *ast.BlockStmt, ok bool) {
	r := &repairer{checker: c, code: code, ok: true}
	repaired := r.block(body)
	if r.ok {
		for _, n := range r.left {
			code.noteNames(c.info, n)
		}
	}
	return repaired, r.ok
}

type repairer struct {
	*checker
	code *Code
	ok   bool
	left []ast.Node // code that is left out, except calls of loggers
}

func (r *repairer) block(b *ast.BlockStmt) *ast.BlockStmt {
	if !b.Rbrace.IsValid() {
		r.ok = false
		return b
	}
	out := *b
	out.List = r.list(b.List)
	return &out
}

func (r *repairer) list(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		if !r.ok {
			return nil
		}
		if r.compiles(s) {
			out = append(out, s)
		} else if kept := r.statement(s); kept != nil {
			out = append(out, kept)
		}
	}
	return out
}

// statement returns a copy of a statement without the parts that do not compile, or nil to
// leave it out.
func (r *repairer) statement(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return r.block(s)
	case *ast.IfStmt:
		out := *s
		if s.Init != nil {
			r.need(s.Init)
		}
		r.need(s.Cond)
		out.Body = r.block(s.Body)
		if s.Else != nil && r.ok && !r.compiles(s.Else) {
			out.Else = r.statement(s.Else)
		}
		return &out
	case *ast.ForStmt:
		out := *s
		for _, n := range []ast.Stmt{s.Init, s.Post} {
			if n != nil {
				r.need(n)
			}
		}
		if s.Cond != nil {
			r.need(s.Cond)
		}
		out.Body = r.block(s.Body)
		return &out
	case *ast.RangeStmt:
		out := *s
		for _, n := range []ast.Expr{s.Key, s.Value, s.X} {
			if n != nil {
				r.need(n)
			}
		}
		out.Body = r.block(s.Body)
		return &out
	case *ast.ReturnStmt:
		return r.returned(s)
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && r.harmless(call) {
			return nil
		}
		out := *s
		out.X = r.expression(s.X)
		return &out
	case *ast.DeferStmt:
		if r.harmless(s.Call) {
			return nil
		}
	case *ast.AssignStmt:
		return r.assignment(s)
	}
	r.ok = false
	return s
}

// need fails if a node does not compile.
func (r *repairer) need(n ast.Node) { r.ok = r.ok && r.compiles(n) }

// returned replaces the errors in a return statement that do not compile.
func (r *repairer) returned(s *ast.ReturnStmt) ast.Stmt {
	out := *s
	out.Results = nil
	for _, e := range s.Results {
		if call, ok := e.(*ast.CallExpr); ok && !r.compiles(e) && r.makesError(call) {
			r.left = append(r.left, call)
			e = r.someError(call)
		} else if !r.compiles(e) {
			e = r.expression(e)
		}
		out.Results = append(out.Results, e)
	}
	return &out
}

// assignment leaves out an assignment if the types of all its variables are unknown, or if
// it sets a context or a text of a command. Otherwise it repairs the function literals in the assigned
// values.
func (r *repairer) assignment(s *ast.AssignStmt) ast.Stmt {
	unknown := true
	for _, e := range s.Lhs {
		unknown = unknown && (!r.compiles(e) || r.describesCommand(e) || isContext(r.info.TypeOf(e)))
	}
	for _, e := range s.Rhs {
		call, ok := e.(*ast.CallExpr)
		_, selected := e.(*ast.SelectorExpr)
		unknown = unknown && (ok && r.harmless(call) || selected)
	}
	if unknown {
		r.keepContext(s)
		r.left = append(r.left, s)
		return nil
	}
	out := *s
	out.Rhs = nil
	for _, e := range s.Lhs {
		r.need(e)
	}
	for _, e := range s.Rhs {
		if r.ok && !r.compiles(e) {
			e = r.expression(e)
		}
		out.Rhs = append(out.Rhs, e)
	}
	return &out
}

// describesCommand reports whether an expression is a field with a text about a command.
func (r *repairer) describesCommand(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	return r.isCommandText(sel.Sel)
}

// isCommandText reports whether a name is a field of package cobra with a text.
func (r *repairer) isCommandText(id *ast.Ident) bool {
	f, ok := r.info.Uses[id].(*types.Var)
	return ok && f.IsField() && isText(f.Type()) && f.Pkg() != nil && strings.HasSuffix(f.Pkg().Path(), "github.com/spf13/cobra")
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

// keepContext handles an assignment that is left out, such as
// ctx, span := tracer.Start(ctx, "x"). Code after it uses the context before it.
func (r *repairer) keepContext(s *ast.AssignStmt) {
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	arg, ok := call.Args[0].(*ast.Ident)
	if !ok {
		return
	}
	before, ok := r.use(arg).(*types.Var)
	if !ok || !isContext(before.Type()) {
		return
	}
	for _, e := range s.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok || id.Name != arg.Name {
			continue
		}
		after := r.info.Defs[id]
		for use, o := range r.info.Uses {
			if o == after && after != nil {
				r.uses[use] = before
				r.types[use] = r.info.Types[arg]
			}
		}
	}
}

// expression returns a copy of an expression in which the bodies of function literals are
// repaired. Nothing else in the expression may fail to compile.
func (r *repairer) expression(e ast.Expr) ast.Expr {
	if !r.ok || r.compiles(e) {
		return e
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		if !r.hasType(e) || !r.compiles(e.Type) {
			break
		}
		out := *e
		out.Body = r.block(e.Body)
		r.copyType(e, &out)
		return &out
	case *ast.UnaryExpr:
		if e.Op != token.AND || !r.hasType(e) {
			break
		}
		out := *e
		out.X = r.expression(e.X)
		r.copyType(e, &out)
		return &out
	case *ast.KeyValueExpr:
		if r.hasError(e.Key) {
			break
		}
		out := *e
		out.Value = r.expression(e.Value)
		return &out
	case *ast.CompositeLit:
		if !r.literal(e) || e.Type != nil && !r.compiles(e.Type) {
			break
		}
		out := *e
		out.Elts = nil
		for _, element := range e.Elts {
			if kv, ok := element.(*ast.KeyValueExpr); ok && !r.compiles(kv.Value) {
				if key, ok := kv.Key.(*ast.Ident); ok && r.isCommandText(key) {
					r.left = append(r.left, kv.Value)
					continue
				}
			}
			out.Elts = append(out.Elts, r.expression(element))
		}
		r.copyType(e, &out)
		return &out
	case *ast.CallExpr:
		if !r.hasType(e) || !r.compiles(e.Fun) {
			break
		}
		out := *e
		out.Args = r.expressions(e.Args)
		r.copyType(e, &out)
		return &out
	}
	r.ok = false
	return e
}

func (r *repairer) expressions(list []ast.Expr) []ast.Expr {
	var out []ast.Expr
	for _, e := range list {
		out = append(out, r.expression(e))
	}
	return out
}

// harmless reports whether a call that does not compile cannot decide whether other code
// runs. Such a call prints its arguments, or gets only values that it cannot change.
func (r *repairer) harmless(call *ast.CallExpr) bool {
	if r.hasError(call) {
		return false
	}
	name := calledName(call.Fun)
	for _, word := range []string{"fatal", "exit", "panic", "must", "die", "abort", "check", "fail", "quit", "stop", "assert", "require"} {
		if strings.Contains(strings.ToLower(name), word) {
			return false
		}
	}
	prints := r.prints(call, name)
	plain := true
	ast.Inspect(call, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BadExpr:
			plain, prints = false, false
		case *ast.UnaryExpr:
			plain = plain && n.Op != token.AND
			prints = prints && n.Op != token.ARROW
		case *ast.CallExpr:
			inner := strings.ToLower(calledName(n.Fun))
			prints = prints && !strings.Contains(inner, "fatal") && !strings.Contains(inner, "exit")
		case *ast.Ident:
			plain = plain && !strings.Contains(squeeze(n.Name), "dryrun")
		case *ast.BasicLit:
			plain = plain && !strings.Contains(squeeze(n.Value), "dryrun")
		}
		return plain || prints
	})
	if prints {
		return true
	}
	for _, a := range call.Args {
		plain = plain && isPlain(r.info.TypeOf(a))
	}
	if plain {
		r.left = append(r.left, call)
	}
	return plain
}

// calledName returns the name of a called function, or of the last method of a chain.
func calledName(fun ast.Expr) string {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	case *ast.CallExpr: // defer start("x")()
		return calledName(fun.Fun)
	}
	return "exit"
}

// printing has the beginnings of the names of functions that print their arguments.
var printing = []string{"Print", "Info", "Debug", "Warn", "Error", "Trace", "Log", "Notice", "Verbose", "V", "With"}

// prints reports whether a call only prints its arguments: a function of the language or of
// package fmt, or an unknown function whose name says so.
func (r *repairer) prints(call *ast.CallExpr, name string) bool {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, builtin := r.info.Uses[fun].(*types.Builtin)
		return builtin && (name == "print" || name == "println")
	case *ast.SelectorExpr:
		if fn, ok := r.info.Uses[fun.Sel].(*types.Func); ok {
			return fn.Pkg() != nil && fn.Pkg().Path() == "fmt" && (strings.HasPrefix(name, "Print") || strings.HasPrefix(name, "Fprint"))
		}
		for _, p := range printing {
			if rest, ok := strings.CutPrefix(name, p); ok && !strings.Contains(rest, "Group") {
				return true
			}
		}
	}
	return false
}

// isPlain reports whether a function cannot change anything through a value of a type:
// texts, numbers, errors and contexts. An unknown type counts as plain.
func isPlain(t types.Type) bool {
	if t == nil {
		return true
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()&types.IsBoolean == 0
	}
	return types.Identical(t, types.Universe.Lookup("error").Type()) || isContext(t)
}

func isContext(t types.Type) bool {
	if t == nil {
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context"
}

// makesError reports whether an unknown function seems to return a new error, or an error
// that contains another one.
func (r *repairer) makesError(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || r.info.Uses[sel.Sel] != nil || r.hasError(call) {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	if _, imported := r.info.Uses[pkg].(*types.PkgName); !imported {
		return false
	}
	name := sel.Sel.Name
	if !strings.Contains(strings.ToLower(pkg.Name), "err") && !strings.Contains(name, "Err") {
		return false
	}
	for _, a := range call.Args {
		if !r.compiles(a) {
			return false
		}
	}
	return strings.HasPrefix(name, "Wrap") || strings.HasPrefix(name, "With") || strings.HasPrefix(name, "New") || strings.HasPrefix(name, "Err") || name == "Trace" || name == "Annotate" || name == "Annotatef"
}

// someError returns an expression for an error of unknown value at the position of another
// expression: any(nil).(error).
func (r *repairer) someError(at ast.Expr) ast.Expr {
	pos := at.Pos()
	id := func(name string) *ast.Ident { return &ast.Ident{NamePos: pos, Name: name} }
	e := &ast.TypeAssertExpr{
		X:      &ast.CallExpr{Fun: id("any"), Lparen: pos, Args: []ast.Expr{id("nil")}, Rparen: pos},
		Lparen: pos, Type: id("error"), Rparen: pos,
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if err := types.CheckExpr(token.NewFileSet(), nil, token.NoPos, e, info); err != nil {
		r.ok = false
	}
	maps.Copy(r.types, info.Types)
	maps.Copy(r.uses, info.Uses)
	return e
}
