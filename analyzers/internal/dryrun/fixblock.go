package dryrun

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// inDryRun returns the edits that run a statement before the write in a dry run. If code
// for dry runs precedes the write, the statement joins it. declaration is a line before
// the condition. It may be "".
func (w *fixable) inDryRun(cond, declaration, statement string) []analysis.TextEdit {
	list := statements(w.ancestors[0])
	at := slices.Index(list, w.stmt)
	if at > 0 {
		if check := w.simpleCheck(list[at-1], cond); check != nil {
			edits := []analysis.TextEdit{w.atEnd(check, statement)}
			if declaration != "" {
				edits = append(edits, w.linesBefore(check, declaration+"\n"))
			}
			return edits
		}
	}
	if declaration != "" {
		declaration += "\n"
	}
	return []analysis.TextEdit{w.before(declaration + conditional(cond, statement))}
}

// conditional returns an if statement.
func conditional(cond, statement string) string {
	return "if " + cond + " {\n" + statement + "\n}\n"
}

// simpleCheck returns a statement if it is an if statement for dry runs that only calls
// functions, for example to print a message. It returns nil for other statements.
func (w *fixable) simpleCheck(s ast.Stmt, cond string) *ast.IfStmt {
	check, ok := s.(*ast.IfStmt)
	if !ok || check.Init != nil || check.Else != nil || len(check.Body.List) == 0 || w.file.Text(check.Cond) != cond {
		return nil
	}
	for _, s := range check.Body.List {
		if _, ok := s.(*ast.ExprStmt); !ok {
			return nil
		}
	}
	line := func(p token.Pos) int { return w.fixer.pass.Fset.PositionFor(p, false).Line }
	if line(check.Body.List[len(check.Body.List)-1].End()) == line(check.Body.Rbrace) {
		return nil
	}
	return check
}

// atEnd returns the edit that adds a statement to the end of an if statement's body.
func (w *fixable) atEnd(check *ast.IfStmt, statement string) analysis.TextEdit {
	end := check.Body.Rbrace
	return analysis.TextEdit{Pos: end, End: end, NewText: []byte("\t" + statement + "\n" + w.file.Indent(end))}
}

// statements returns the statement list of a block or clause.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// before returns the edit that inserts lines before the statement of the write.
func (w *fixable) before(text string) analysis.TextEdit { return w.linesBefore(w.stmt, text) }

// linesBefore returns the edit that inserts lines before a statement.
func (w *fixable) linesBefore(s ast.Stmt, text string) analysis.TextEdit {
	indent := w.file.Indent(s.Pos())
	text = strings.TrimPrefix(indented(strings.TrimSuffix(text, "\n"), indent), indent)
	return analysis.TextEdit{Pos: s.Pos(), End: s.Pos(), NewText: []byte(text + "\n" + indent)}
}

// indented indents a list of statements whose blocks are one level deep.
func indented(text, indent string) string {
	lines := strings.Split(text, "\n")
	depth := 0
	for i, l := range lines {
		if strings.HasPrefix(l, "}") {
			depth--
		}
		if l != "" {
			lines[i] = indent + strings.Repeat("\t", max(depth, 0)) + l
		}
		if strings.HasSuffix(l, "{") {
			depth++
		}
	}
	return strings.Join(lines, "\n")
}
