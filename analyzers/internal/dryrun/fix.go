package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
)

// Fixer creates the fixes for the findings of one package. It remembers the variables
// that its fixes add, so that all fixes can be applied together.
type Fixer struct {
	pass  *analysis.Pass
	added []addedVar
	// skips holds the fixes that skip writes in a dry run.
	skips []skip
	// declarations holds the functions of the package. It is nil until it is needed.
	declarations map[types.Object]*ast.FuncDecl
}

// addedVar is a variable that an earlier fix adds. scope is the node in which the
// variable is declared.
type addedVar struct {
	name  string
	scope ast.Node
	// text is the code that edits insert. If constant is true, a later write in the
	// scope that needs the same options uses this variable too.
	text     string
	constant bool
	edits    []analysis.TextEdit
}

// NewFixer returns a Fixer for a package.
func NewFixer(pass *analysis.Pass) *Fixer {
	return &Fixer{pass: pass}
}

// Fix returns the fix of a finding. The fix makes the write a dry run if the user wants
// one. Fix returns nil if the function with the write cannot read the dry run, or if
// the call takes no options.
func (x *Fixer) Fix(f *Finding) []analysis.SuggestedFix {
	if len(f.Path) > 0 && f.Source.Kind != Global || f.Write.Call == nil {
		return nil
	}
	if fixes := x.Skipped(f); fixes != nil {
		return fixes
	}
	w := x.place(f, f.Write.Call.Expr)
	if w == nil {
		return nil
	}
	if needs := append(w.readsAgain(), w.usesOfContainer()...); len(needs) > 0 || w.inNewContainer() {
		return w.skipWrite(needs)
	}
	var edits []analysis.TextEdit
	done := ""
	if w.dryRun.shape == List {
		edits, done = w.list()
	} else {
		edits, done = w.makeDryRun()
	}
	if len(edits) == 0 {
		return nil
	}
	return []analysis.SuggestedFix{{Message: done, TextEdits: append(edits, w.dryRun.imports...)}}
}

// fixable is a write with the data for its fix.
type fixable struct {
	fixer *Fixer
	file  *edit.File
	// call is the write. It is nil for the fix of another call.
	call   *apicall.Call
	dryRun *dryRunExpr
	mode   fixMode
	// stmt is the statement that contains the call. It is an element of a statement list.
	stmt ast.Stmt
	// ancestors holds the nodes around stmt, innermost first.
	ancestors []ast.Node
	// function is the innermost function around stmt. declaration is the outermost.
	function, declaration ast.Node
	// ssa is function in SSA form, and write is the write in it.
	ssa   *ssa.Function
	write ssa.Instruction
}

// fixMode says in which kinds of dry run the fixed code still sends the write.
type fixMode uint8

const (
	serverOnly fixMode = iota
	bothModes
)

// place finds the statement that contains the call of a finding, and an expression for
// the dry run there. It returns nil if no fix is possible.
func (x *Fixer) place(f *Finding, call *ast.CallExpr) *fixable {
	w := &fixable{fixer: x, call: f.Write.Call, ssa: f.Write.Func, write: f.Write.instr, file: edit.Open(x.pass, call.Pos())}
	if f.Client {
		w.mode = bothModes
	}
	if w.file == nil {
		return nil
	}
	path, _ := astutil.PathEnclosingInterval(w.file.Syntax(), call.Pos(), call.End())
	for i, n := range path {
		if i+1 == len(path) {
			return nil
		}
		if before, ok := n.(ast.Stmt); ok && listed(path[i+1], before) {
			w.stmt, w.ancestors = before, path[i+1:]
			break
		}
		switch parent := path[i+1].(type) {
		case *ast.ForStmt:
			if parent.Init != n {
				return nil // it runs again, but options set before the loop are set only once
			}
		case *ast.IfStmt:
			if parent.Else == n {
				return nil // nothing can be declared before it
			}
		case *ast.CaseClause, *ast.CommClause, *ast.SelectStmt:
			return nil
		}
	}
	for _, n := range w.ancestors {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			if w.function == nil {
				w.function = n
			}
			w.declaration = n
		}
	}
	if w.function == nil {
		return nil
	}
	if w.dryRun = w.expression(f); w.dryRun == nil {
		return nil
	}
	return w
}

// listed reports whether a statement is an element of its parent's statement list.
func listed(parent ast.Node, s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return false
	}
	return slices.Contains(statements(parent), s)
}

// list adds the field DryRun to the literal of the options. The value of the field is
// the source, which is a list.
func (w *fixable) list() ([]analysis.TextEdit, string) {
	lit, ok := w.literal()
	if !ok {
		return nil, ""
	}
	text, pos := "DryRun: "+w.dryRun.text, lit.Rbrace
	if n := len(lit.Elts); n > 0 {
		text, pos = ", "+text, lit.Elts[n-1].End()
	}
	return []analysis.TextEdit{{Pos: pos, End: pos, NewText: []byte(text)}}, "Pass " + w.dryRun.text + " on"
}

// literal returns the struct literal of the options, if the field DryRun can be added
// to it.
func (w *fixable) literal() (*ast.CompositeLit, bool) {
	e := ast.Unparen(w.call.Options)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil, false
	}
	switch w.call.Family {
	case apicall.Typed, apicall.Dynamic, apicall.Metadata, apicall.Scale:
	default:
		return nil, false
	}
	return lit, lacksDryRun(lit)
}

// lacksDryRun reports whether the field DryRun can be added to a literal.
func lacksDryRun(lit *ast.CompositeLit) bool {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		if key, ok := kv.Key.(*ast.Ident); !ok || key.Name == "DryRun" {
			return false
		}
	}
	return true
}

// makeDryRun returns the edits that make the write a dry run if the user wants one.
func (w *fixable) makeDryRun() ([]analysis.TextEdit, string) {
	var edits []analysis.TextEdit
	if w.dryRun.shape == Strategy && w.mode == bothModes {
		// In a dry run by the client, the write is not sent.
		if guard := w.guard(); guard != nil {
			edits = append(edits, *guard)
			w.mode = serverOnly
		}
	}
	cond := w.condition()
	if cond == "" {
		return nil, ""
	}
	var more []analysis.TextEdit
	switch w.call.Family {
	case apicall.Typed, apicall.Dynamic, apicall.Metadata, apicall.Scale:
		more = w.structOptions(cond)
	case apicall.Runtime, apicall.RuntimeSubresource:
		more = w.functionalOptions(cond)
	case apicall.Helper:
		more = w.helper(cond)
	case apicall.Wrapper:
		more = w.receiver(cond)
	}
	if len(more) == 0 {
		return nil, ""
	}
	return append(edits, more...), "Send a dry run if " + cond
}
