package apiuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// onlyComparesVersion reports whether the code around the current node only compares a
// version, and does not choose one. Examples are an operand of ==, a case of a switch,
// the key of a map, and an argument of a filter. up is the number of levels from the
// current node to the expression's parent.
func (s *search) onlyComparesVersion(up int) bool {
	child := s.parent(up - 1)
	for ; ; up++ {
		switch n := s.parent(up).(type) {
		case *ast.ParenExpr:
		case *ast.UnaryExpr:
			if n.Op != token.AND {
				return false
			}
		case *ast.BinaryExpr:
			return n.Op == token.EQL || n.Op == token.NEQ
		case *ast.CaseClause:
			return true
		case *ast.KeyValueExpr:
			if n.Key == child {
				return !s.fieldKey(n)
			}
		case *ast.CompositeLit:
		case *ast.ValueSpec:
			return slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return isQuestionName(id.Name) })
		case *ast.AssignStmt:
			id, ok := n.Lhs[0].(*ast.Ident)
			return ok && isQuestionName(id.Name)
		case *ast.IndexExpr:
			return n.Index == child
		case *ast.CallExpr:
			return s.asksForVersion(n)
		default:
			return false
		}
		child = s.parent(up)
	}
}

// fieldKey reports whether a key names a field of a struct.
func (s *search) fieldKey(kv *ast.KeyValueExpr) bool {
	id, ok := kv.Key.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := s.pass.TypesInfo.Uses[id].(*types.Var)
	return ok && v.IsField()
}

// questions lists parts of the names of functions that ask whether a version or an API
// exists.
var questions = []string{"has", "is", "supports", "support", "serverresources", "serversupports", "contains", "equal", "match",
	"check", "exist", "available", "enabled", "discover", "skip", "ignore", "exclude", "deny", "blacklist", "blocklist", "prioritize", "served", "known"}

// asksForVersion reports whether a call asks whether a version exists, by the name of
// the called function.
func (s *search) asksForVersion(call *ast.CallExpr) bool {
	name := ""
	switch fn := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fn.Name
	case *ast.SelectorExpr:
		name = fn.Sel.Name
	}
	return isQuestionName(name)
}

// isQuestionName reports whether the name of a function or of a list says that the code
// distinguishes versions.
func isQuestionName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(questions, func(q string) bool {
		return strings.HasPrefix(name, q) || len(q) > 3 && strings.Contains(name, q)
	})
}
