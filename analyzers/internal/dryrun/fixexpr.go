package dryrun

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/analysis"
)

// dryRunExpr is Go code for the dry run at the write.
type dryRunExpr struct {
	shape Shape
	// text is the variable or field. root is the object of the first name in it.
	text string
	root types.Object
	// client, server and none are the constants of a strategy. For a text, only server is
	// set.
	client, server, none string
	imports              []analysis.TextEdit
}

// condition returns the Go expression that is true if the write must be a dry run; ""
// if there is none.
func (w *fixable) condition() string {
	switch w.dryRun.shape {
	case Bool:
		return w.dryRun.text
	case Strategy:
		if w.mode == serverOnly {
			return w.dryRun.text + " == " + w.dryRun.server
		}
		if w.dryRun.none != "" {
			return w.dryRun.text + " != " + w.dryRun.none
		}
	case Text:
		if w.mode == serverOnly {
			return w.dryRun.text + " == " + w.dryRun.server
		}
	}
	return ""
}

// knownAt reports whether the text has the same meaning at a position.
func (h *dryRunExpr) knownAt(pass *analysis.Pass, at token.Pos) bool {
	return refersTo(pass, h.root, at)
}

// refersTo reports whether the name of obj refers to obj at a position.
func refersTo(pass *analysis.Pass, obj types.Object, at token.Pos) bool {
	inner := pass.Pkg.Scope().Innermost(at)
	if inner == nil || obj == nil {
		return false
	}
	_, found := inner.LookupParent(obj.Name(), at)
	return found == obj
}

// expression returns the Go code for the source of a finding at the write; nil if there
// is none.
func (w *fixable) expression(f *Finding) *dryRunExpr {
	src, pass := f.Source, w.fixer.pass
	if src.negated {
		return nil
	}
	h := &dryRunExpr{shape: src.Shape}
	var t types.Type
	switch v, _ := src.Object.(*types.Var); {
	case v == nil:
		h.root = w.result(src)
		if h.root == nil {
			return nil
		}
		h.text, t = h.root.Name(), h.root.Type()
	case src.Base != nil:
		h.root, h.text, t = src.Base, src.Base.Name()+"."+src.fieldPath+v.Name(), v.Type()
	case v.IsField() && src.Kind == Global && src.fieldPath != "":
		first, _, _ := strings.Cut(src.fieldPath, ".")
		h.root, h.text, t = pass.Pkg.Scope().Lookup(first), src.fieldPath+v.Name(), v.Type()
	case v.IsField():
		if e := w.selector(v); e != nil {
			h.root, h.text = rootOf(pass.TypesInfo, e), w.file.Text(e)
		}
		t = v.Type()
	case v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && v.Pkg() != pass.Pkg:
		name, ok := edit.Imported(pass, w.stmt.Pos(), edit.Unvendored(v.Pkg().Path()))
		if !ok {
			return nil
		}
		_, h.root = pass.Pkg.Scope().Innermost(w.stmt.Pos()).LookupParent(name, w.stmt.Pos())
		h.text, t = name+"."+v.Name(), v.Type()
	default:
		h.root, h.text, t = v, v.Name(), v.Type()
	}
	if h.root == nil || h.text == "" || !h.knownAt(pass, w.stmt.Pos()) {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		if src.Flag == "" {
			return nil // it may be nil
		}
		t, h.text = p.Elem(), "*"+h.text
	}
	switch h.shape {
	case Bool:
		if b, ok := types.Unalias(t).(*types.Basic); !ok || b.Kind() != types.Bool {
			return nil
		}
	case Strategy:
		n := namedOf(t)
		if n == nil || !w.constants(h, n) {
			return nil
		}
	case Text:
		h.server = w.textOfServer(t)
	case List:
		if _, ok := types.Unalias(t).(*types.Slice); !ok {
			return nil
		}
	}
	return h
}

// constants sets the names of a strategy's constants, as the file with the write spells
// them. It reports whether it found the constant for the server.
func (w *fixable) constants(h *dryRunExpr, n *types.Named) bool {
	qualifier := ""
	if n.Obj().Pkg() != w.fixer.pass.Pkg {
		name, imports, ok := w.file.Import(w.stmt.Pos(), edit.Unvendored(n.Obj().Pkg().Path()), n.Obj().Pkg().Name())
		if !ok {
			return false
		}
		qualifier, h.imports = name+".", imports
	}
	for mode, to := range map[Mode]*string{Client: &h.client, Server: &h.server, off: &h.none} {
		if c := strategyConst(n, mode); c != nil {
			*to = qualifier + c.Name()
		}
	}
	return h.server != ""
}

// textOfServer returns the code for the text "server". It is a constant of the package
// whose name says so, if a value of type t can be compared with it. It prefers names with
// "dry run".
func (w *fixable) textOfServer(t types.Type) string {
	found := strconv.Quote("server")
	scope := w.fixer.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || c.Val().Kind() != constant.String || constant.StringVal(c.Val()) != "server" || !refersTo(w.fixer.pass, c, w.stmt.Pos()) {
			continue
		}
		basic, _ := c.Type().(*types.Basic)
		untyped := basic != nil && basic.Kind() == types.UntypedString
		lower := squeeze(name)
		if !strings.Contains(lower, "server") || !untyped && !types.Identical(c.Type(), t) {
			continue
		}
		if strings.Contains(lower, "dryrun") {
			return name
		}
		if strings.HasPrefix(found, `"`) {
			found = name
		}
	}
	return found
}

// selector returns a selector expression for a field, such as o.dryRun, whose first
// name (here o) is in scope at the write. It prefers the last such expression before
// the write. If there is none, it returns the first one after the write.
func (w *fixable) selector(field *types.Var) ast.Expr {
	var found ast.Expr
	pass := w.fixer.pass
	ast.Inspect(w.declaration, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if v, ok := pass.TypesInfo.Uses[sel.Sel].(*types.Var); ok && v.Origin() == field {
			if root := rootOf(pass.TypesInfo, sel); root != nil && refersTo(pass, root, w.stmt.Pos()) && (found == nil || sel.Pos() < w.stmt.Pos()) {
				found = sel
			}
		}
		return true
	})
	return found
}

// rootOf returns the variable with which a chain of fields begins. It returns nil for
// other expressions.
func rootOf(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.Uses[e]
	case *ast.SelectorExpr:
		return rootOf(info, e.X)
	}
	return nil
}

// result returns the variable that holds the result of a source that is a call, such as
// cmd.Flags().GetBool("dry-run").
func (w *fixable) result(src *Source) types.Object {
	var found types.Object
	info := w.fixer.pass.TypesInfo
	ast.Inspect(w.declaration, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 || a.Pos() > w.stmt.Pos() {
			return true
		}
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		if !ok || src.FlagPos.IsValid() && call.Lparen != src.FlagPos || !calls(info, call, src.Object) {
			return true
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		if !ok {
			return true
		}
		obj := info.Defs[id]
		if obj == nil {
			obj = info.Uses[id]
		}
		if obj != nil && shapeOf(obj.Type()) == src.Shape && refersTo(w.fixer.pass, obj, w.stmt.Pos()) {
			found = obj
		}
		return true
	})
	return found
}

// calls reports whether a call runs fn.
func calls(info *types.Info, call *ast.CallExpr, fn types.Object) bool {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return info.Uses[f] == fn
	case *ast.SelectorExpr:
		return info.Uses[f.Sel] == fn
	}
	return false
}
