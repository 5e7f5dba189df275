package gofix

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strconv"
)

// qualifiers returns the names before dots in a file.
func qualifiers(f *ast.File) map[string]bool {
	set := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				set[id.Name] = true
			}
		}
		return true
	})
	return set
}

var (
	major  = regexp.MustCompile(`^v[0-9]+$`)
	suffix = regexp.MustCompile(`\.v[0-9]+$`)
)

// localNames returns the names that an import may have in the file, as far as its path
// shows them. It returns nil for blank imports and dot imports.
func localNames(spec *ast.ImportSpec) []string {
	if spec.Name != nil {
		if spec.Name.Name == "_" || spec.Name.Name == "." {
			return nil
		}
		return []string{spec.Name.Name}
	}
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return nil
	}
	name := path.Base(p)
	if major.MatchString(name) {
		// The name of k8s.io/api/core/v1 is v1, but the name of k8s.io/klog/v2 is klog.
		return []string{name, path.Base(path.Dir(p))}
	}
	return []string{suffix.ReplaceAllString(name, "")}
}

// span returns the start and end offsets of an import. If the line has nothing else, they
// include the whole line.
func span(file *token.File, text []byte, f *ast.File, spec *ast.ImportSpec) (from, to int) {
	from, to = file.Offset(spec.Pos()), file.Offset(spec.End())
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.GenDecl)
		if ok && d.Tok == token.IMPORT && len(d.Specs) == 1 && d.Specs[0] == spec {
			from, to = file.Offset(d.Pos()), file.Offset(d.End())
		}
	}
	if spec.Comment != nil && file.Line(spec.Comment.Pos()) == file.Line(spec.End()) {
		to = max(to, file.Offset(spec.Comment.End()))
	}
	line := from
	for line > 0 && (text[line-1] == ' ' || text[line-1] == '\t') {
		line--
	}
	end := to
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r') {
		end++
	}
	if (line == 0 || text[line-1] == '\n') && end < len(text) && text[end] == '\n' {
		return line, end + 1
	}
	return from, to
}
