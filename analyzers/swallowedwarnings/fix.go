package swallowedwarnings

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/analysis"
)

// replacement returns the advice for a handler that does nothing, and the fix that
// replaces the handler. A command should print each warning once, as kubectl does.
// Other programs should log warnings. A handler with context can only log.
func (c *checker) replacement(handler ast.Expr, withContext bool) (advice string, fixes []analysis.SuggestedFix) {
	logs := withContext || !c.command()
	advice, message := "log them, with rest.WarningLogger{}", "Log the warnings"
	if !logs {
		advice, message = "print them, with rest.NewWarningWriter(os.Stderr, rest.WarningWriterOptions{Deduplicate: true})", "Print the warnings"
	}
	f := edit.Open(c.pass, handler.Pos())
	if f == nil {
		return advice, nil
	}
	if edits, ok := c.replace(f, handler, logs); ok {
		edits = append(edits, staleComments(f, handler.Pos())...)
		fixes = []analysis.SuggestedFix{{Message: message, TextEdits: edits}}
	}
	return advice, fixes
}

// silencing matches comments which say that the code throws warnings away.
var silencing = regexp.MustCompile(`(?i)silenc|suppress|swallow|discard|ignor|hide|hiding|disabl.*warning|no warning`)

// staleComments returns the edits that remove the comments about a handler which say that
// it throws warnings away. They are wrong after the fix.
func staleComments(f *edit.File, handler token.Pos) []analysis.TextEdit {
	var edits []analysis.TextEdit
	for _, g := range f.CommentsOn(handler) {
		if silencing.MatchString(g.Text()) {
			edits = append(edits, f.Comment(g))
		}
	}
	return edits
}

// command reports whether the package is part of a command-line program and has no
// controllers.
func (c *checker) command() bool {
	library := func(path string) bool {
		return strings.HasPrefix(path, "github.com/spf13/cobra") || strings.HasPrefix(path, "github.com/urfave/cli") ||
			strings.HasPrefix(path, "k8s.io/cli-runtime/") || strings.HasPrefix(path, "k8s.io/kubectl/")
	}
	controller := func(path string) bool {
		return path == "sigs.k8s.io/controller-runtime" || strings.HasPrefix(path, "k8s.io/client-go/informers") ||
			slices.Contains([]string{"manager", "controller", "builder", "reconcile"}, strings.TrimPrefix(path, "sigs.k8s.io/controller-runtime/pkg/"))
	}
	return c.imports(library) && !c.imports(controller)
}

// replace returns the edits that replace a handler. It returns false if the handler is
// a local variable, because the edits would leave the variable unused.
func (c *checker) replace(f *edit.File, handler ast.Expr, logs bool) ([]analysis.TextEdit, bool) {
	// If the handler writes to io.Discard, replace only the writer.
	if call, ok := ast.Unparen(handler).(*ast.CallExpr); ok && len(call.Args) > 0 {
		if fn := callee(c.pass.TypesInfo, call); fn != nil && fn.Name() == "NewWarningWriter" {
			return c.replaceExpr(f, call.Args[0], func() (string, []analysis.TextEdit, bool) {
				os, edits, ok := f.Import(handler.Pos(), "os", "os")
				return os + ".Stderr", edits, ok
			})
		}
	}
	if c.local(handler) {
		return nil, false
	}
	// In rest.NoWarnings{}, replace only the name NoWarnings.
	inner := ast.Unparen(handler)
	if u, ok := inner.(*ast.UnaryExpr); ok && u.Op == token.AND {
		inner = ast.Unparen(u.X)
	}
	if lit, ok := inner.(*ast.CompositeLit); ok && logs {
		if name, ok := lit.Type.(*ast.SelectorExpr); ok && name.Sel.Name == "NoWarnings" && c.isRest(name) {
			return []analysis.TextEdit{{Pos: name.Sel.Pos(), End: name.Sel.End(), NewText: []byte("WarningLogger")}}, true
		}
	}
	return c.replaceExpr(f, handler, func() (string, []analysis.TextEdit, bool) {
		rest, edits, ok := f.Import(handler.Pos(), clientRest, "rest")
		if !ok || logs {
			return rest + ".WarningLogger{}", edits, ok
		}
		os, more, ok := f.Import(handler.Pos(), "os", "os")
		text := rest + ".NewWarningWriter(" + os + ".Stderr, " + rest + ".WarningWriterOptions{Deduplicate: true})"
		return text, append(edits, more...), ok && (len(edits) == 0 || len(more) == 0)
	})
}

// replaceExpr returns the edits that replace an expression, and that remove the imports
// which only this expression uses. text returns the new source text and the edits that
// add its imports.
func (c *checker) replaceExpr(f *edit.File, e ast.Expr, text func() (string, []analysis.TextEdit, bool)) ([]analysis.TextEdit, bool) {
	replacement, edits, ok := text()
	if !ok {
		return nil, false
	}
	replaced := analysis.TextEdit{Pos: e.Pos(), End: e.End()}
	orphans, ok := f.Orphans(replaced)
	if !ok {
		return nil, false
	}
	for _, o := range orphans {
		crosses := func(e analysis.TextEdit) bool { return o.Pos <= e.Pos && e.Pos <= o.End }
		// Keep package rest, because the new handler is in it. Edits of imports must not
		// overlap.
		if !c.usesRest(e) && !slices.ContainsFunc(edits, crosses) {
			edits = append(edits, o)
		}
	}
	replaced.NewText = []byte(replacement)
	return append(edits, replaced), true
}

// usesRest reports whether an expression names a declaration of client-go's package
// rest.
func (c *checker) usesRest(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			found = found || c.isRest(sel)
		}
		return !found
	})
	return found
}

// local reports whether a handler is a local variable.
func (c *checker) local(handler ast.Expr) bool {
	id, ok := ast.Unparen(handler).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := c.pass.TypesInfo.Uses[id].(*types.Var)
	return ok && v.Kind() == types.LocalVar
}

// isRest reports whether a selector names a declaration of client-go's package rest.
func (c *checker) isRest(sel *ast.SelectorExpr) bool {
	obj := c.pass.TypesInfo.Uses[sel.Sel]
	return obj != nil && obj.Pkg() != nil && edit.Unvendored(obj.Pkg().Path()) == clientRest
}

// unsuppress returns the fix that removes the option SuppressWarnings of a
// controller-runtime client.
func (c *checker) unsuppress(path []ast.Node, kv *ast.KeyValueExpr) []analysis.SuggestedFix {
	f := edit.Open(c.pass, kv.Pos())
	if f == nil || len(path) < 2 {
		return nil
	}
	lit, ok := path[len(path)-2].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	i := slices.Index(lit.Elts, ast.Expr(kv))
	if i < 0 {
		return nil
	}
	removal := edit.Element(f, lit.Elts, i, lit.Rbrace)
	edits := []analysis.TextEdit{removal}
	for _, stale := range staleComments(f, kv.Pos()) {
		if stale.End <= removal.Pos || removal.End <= stale.Pos {
			edits = append(edits, stale)
		}
	}
	return []analysis.SuggestedFix{{Message: "Log the warnings", TextEdits: edits}}
}
