// Package edit makes the text edits of suggested fixes, so that the fixed code compiles. It
// removes list elements with their commas, and adds and removes imports.
package edit

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// File is one source file to edit.
type File struct {
	pass *analysis.Pass
	ast  *ast.File
	tok  *token.File
	src  []byte
}

// Open returns the file that contains pos. It returns nil if the source cannot be read.
// The caller then offers no fix.
func Open(pass *analysis.Pass, pos token.Pos) *File {
	for _, f := range pass.Files {
		if f.FileStart > pos || pos > f.FileEnd || pass.ReadFile == nil {
			continue
		}
		tok := pass.Fset.File(f.FileStart)
		src, err := pass.ReadFile(tok.Name())
		if err != nil || len(src) != tok.Size() {
			return nil
		}
		return &File{pass: pass, ast: f, tok: tok, src: src}
	}
	return nil
}

// Text returns the source text of a node.
func (f *File) Text(n ast.Node) string {
	return string(f.src[f.tok.Offset(n.Pos()):f.tok.Offset(n.End())])
}

// Element returns the edit that removes element i of a list, with its comma. If the
// element has lines of its own, the edit removes them too. closing is the parenthesis
// or brace after the list.
func Element[N ast.Node](f *File, list []N, i int, closing token.Pos) analysis.TextEdit {
	from, to := f.tok.Offset(list[i].Pos()), f.tok.Offset(list[i].End())
	if comma := f.skipSpace(to); f.src[comma] == ',' && f.tok.Pos(comma) < closing {
		to = comma + 1
		if start, ok := f.lineStart(from); ok {
			if end, ok := f.lineEnd(to); ok {
				return f.removal(start, end)
			}
		}
		if i == len(list)-1 && i > 0 {
			// The comma after the element stays, because it may be needed at
			// the end of a line. The comma before the element is removed.
			return f.removal(f.tok.Offset(list[i-1].End()), to-1)
		}
		return f.removal(from, f.skipBlank(to))
	}
	if i > 0 {
		from = f.tok.Offset(list[i-1].End())
	}
	return f.removal(from, to)
}

// Statement returns the edit that removes a statement. If the line has no other code,
// the edit removes the whole line.
func (f *File) Statement(s ast.Stmt) analysis.TextEdit {
	from, to := f.tok.Offset(s.Pos()), f.tok.Offset(s.End())
	if start, ok := f.lineStart(from); ok {
		if end, ok := f.lineEnd(to); ok {
			return f.removal(start, end)
		}
	}
	if to < len(f.src) && f.src[to] == ';' {
		to = f.skipBlank(to + 1)
	}
	return f.removal(from, to)
}

// CommentsOn returns the comments about the code on the line of a position: the comment
// that ends on the line before and the comment at the end of the line.
func (f *File) CommentsOn(pos token.Pos) []*ast.CommentGroup {
	var found []*ast.CommentGroup
	line := f.tok.Line(pos)
	for _, g := range f.ast.Comments {
		switch {
		case f.tok.Line(g.Pos()) == line && g.Pos() > pos:
			found = append(found, g)
		case f.tok.Line(g.End()) == line-1:
			if _, own := f.lineStart(f.tok.Offset(g.Pos())); own {
				found = append(found, g)
			}
		}
	}
	return found
}

// Comment returns the edit that removes a comment. If the comment has lines of its own,
// the edit removes them too.
func (f *File) Comment(g *ast.CommentGroup) analysis.TextEdit {
	from, to := f.tok.Offset(g.Pos()), f.tok.Offset(g.End())
	start, own := f.lineStart(from)
	if end, ok := f.lineEnd(to); own && ok {
		return f.removal(start, end)
	}
	return f.removal(start, to)
}

// Orphans returns the edits that remove the imports which no code uses after the
// removals. It returns false if the removals are not possible:
//
//   - They would leave a local variable unused. Go does not compile such code.
//   - They would remove an expression that may have side effects.
func (f *File) Orphans(removals ...analysis.TextEdit) ([]analysis.TextEdit, bool) {
	gone := map[types.Object]int{}
	inside := func(p token.Pos) bool {
		for _, r := range removals {
			if r.Pos <= p && p < r.End {
				return true
			}
		}
		return false
	}
	pure := true
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if obj := f.pass.TypesInfo.Uses[n]; obj != nil && inside(n.Pos()) {
				gone[obj] = 0
			}
		case *ast.CallExpr:
			pure = pure && (!inside(n.Pos()) || hasNoEffect(f.pass.TypesInfo, n))
		case *ast.UnaryExpr:
			pure = pure && (!inside(n.Pos()) || n.Op != token.ARROW)
		}
		return n != nil
	})
	if !pure {
		return nil, false
	}
	for id, obj := range f.pass.TypesInfo.Uses {
		if _, ok := gone[obj]; ok && f.ast.FileStart <= id.Pos() && id.Pos() <= f.ast.FileEnd && !inside(id.Pos()) {
			gone[obj]++
		}
	}
	var edits []analysis.TextEdit
	for _, spec := range f.ast.Imports {
		name := f.pass.TypesInfo.PkgNameOf(spec)
		if left, ok := gone[name]; name != nil && ok && left == 0 {
			edits = append(edits, f.removeImport(spec))
		}
	}
	for obj, left := range gone {
		v, ok := obj.(*types.Var)
		if ok && left == 0 && !v.IsField() && v.Parent() != nil && v.Parent() != f.pass.Pkg.Scope() && v.Kind() == types.LocalVar {
			return nil, false
		}
	}
	return edits, true
}

// hasNoEffect reports whether a call has no side effects, because it is a conversion,
// or calls a function that returns a pointer to its argument.
func hasNoEffect(info *types.Info, call *ast.CallExpr) bool {
	if tv := info.Types[call.Fun]; tv.IsType() {
		return true
	}
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		b, ok := info.Uses[fun].(*types.Builtin)
		return ok && b.Name() == "new"
	case *ast.SelectorExpr:
		fn, ok := info.Uses[fun.Sel].(*types.Func)
		if !ok || fn.Pkg() == nil {
			return false
		}
		switch Unvendored(fn.Pkg().Path()) {
		case "k8s.io/utils/ptr", "k8s.io/utils/pointer", "github.com/samber/lo":
			return true
		}
	}
	return false
}

// removeImport returns the edit that removes an import. If its declaration has no other
// import, the edit removes the declaration.
func (f *File) removeImport(spec *ast.ImportSpec) analysis.TextEdit {
	var node ast.Node = spec
	for _, d := range f.ast.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT && len(d.Specs) == 1 && d.Specs[0] == spec {
			node = d
		}
	}
	from, to := f.tok.Offset(node.Pos()), f.tok.Offset(node.End())
	if start, ok := f.lineStart(from); ok {
		from = start
	}
	if end, ok := f.lineEnd(to); ok {
		to = end
	}
	return f.removal(from, to)
}

func (f *File) removal(from, to int) analysis.TextEdit {
	return analysis.TextEdit{Pos: f.tok.Pos(from), End: f.tok.Pos(to)}
}

// lineStart returns the start of the line. It returns false if there is code before
// offset on the line.
func (f *File) lineStart(offset int) (int, bool) {
	for offset > 0 && (f.src[offset-1] == ' ' || f.src[offset-1] == '\t') {
		offset--
	}
	return offset, offset == 0 || f.src[offset-1] == '\n'
}

// lineEnd returns the start of the next line. It returns false if there is code after
// offset on the line.
func (f *File) lineEnd(offset int) (int, bool) {
	offset = f.skipBlank(offset)
	if offset < len(f.src) && f.src[offset] == '\r' {
		offset++
	}
	if offset < len(f.src) && f.src[offset] == '\n' {
		return offset + 1, true
	}
	return offset, offset == len(f.src)
}

func (f *File) skipBlank(offset int) int {
	for offset < len(f.src) && (f.src[offset] == ' ' || f.src[offset] == '\t') {
		offset++
	}
	return offset
}

func (f *File) skipSpace(offset int) int {
	for offset < len(f.src)-1 && (f.src[offset] == ' ' || f.src[offset] == '\t' || f.src[offset] == '\n' || f.src[offset] == '\r') {
		offset++
	}
	return offset
}

// Syntax returns the file's syntax tree.
func (f *File) Syntax() *ast.File { return f.ast }

// Indent returns the blanks at the beginning of the line that contains a position.
func (f *File) Indent(at token.Pos) string {
	offset := f.tok.Offset(at)
	start := offset
	for start > 0 && f.src[start-1] != '\n' {
		start--
	}
	end := start
	for end < offset && (f.src[end] == ' ' || f.src[end] == '\t') {
		end++
	}
	return string(f.src[start:end])
}
