package dryrun

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// findNamedLocals records the local variables whose names say dry run, by the position of
// the operation that gives them their value. The SSA form has no names of such variables.
//
//	dryRun := !*apply
//
// It leaves out variables inside of branches, and those that get a dry run from elsewhere.
func (s *state) findNamedLocals() {
	s.namedLocals = map[token.Pos]*types.Var{}
	for _, file := range s.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.FuncDecl:
				body = n.Body
			case *ast.FuncLit:
				body = n.Body
			}
			if body != nil {
				for _, stmt := range body.List {
					s.namedLocalIn(stmt)
				}
			}
			return true
		})
	}
}

func (s *state) namedLocalIn(stmt ast.Stmt) {
	assign, ok := stmt.(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok {
		return
	}
	v, ok := s.pass.TypesInfo.Defs[id].(*types.Var)
	if named, negative := dryRunName(id.Name); !ok || !named || negative || !isBool(v.Type()) || s.mentionsDryRun(assign.Rhs[0]) {
		return
	}
	switch from := ast.Unparen(assign.Rhs[0]).(type) {
	case *ast.UnaryExpr:
		s.namedLocals[from.OpPos] = v
	case *ast.BinaryExpr:
		s.namedLocals[from.OpPos] = v
	}
}

// mentionsDryRun reports whether a name or a text in an expression says dry run.
func (s *state) mentionsDryRun(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || containsDryRun(n.Name)
			if c, ok := s.pass.TypesInfo.Uses[n].(*types.Const); ok && c.Val().Kind() == constant.String {
				found = found || containsDryRun(constant.StringVal(c.Val()))
			}
		case *ast.BasicLit:
			found = found || containsDryRun(strings.Trim(n.Value, "`\""))
		}
		return !found
	})
	return found
}

// namedLocal returns the local variable that gets a value, if the variable's name says dry
// run. It returns nil for other values, and if the package also uses the operands of the
// operation elsewhere. Conditions there could be on the dry run, too.
func (s *state) namedLocal(v ssa.Value) *types.Var {
	local := s.namedLocals[v.Pos()]
	if local == nil {
		return nil
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT && s.usedOnce(v.X) {
			return local
		}
	case *ssa.BinOp:
		if s.usedOnce(v.X) && s.usedOnce(v.Y) {
			return local
		}
	}
	return nil
}

// usedOnce reports whether the package uses a value, and the variable that it comes from,
// in a single instruction.
func (s *state) usedOnce(v ssa.Value) bool {
	if _, ok := v.(*ssa.Const); ok {
		return true
	}
	if v.Referrers() == nil || len(*v.Referrers()) != 1 {
		return false
	}
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return true
	}
	switch load.X.(type) {
	case *ssa.Call: // such as that of flag.Bool
		return len(*load.X.Referrers()) == 1
	case *ssa.Global:
		loads := 0
		s.anyInstr(func(i ssa.Instruction) bool {
			other, ok := i.(*ssa.UnOp)
			if ok && other.X == load.X {
				loads++
			}
			return false
		})
		return loads == 1 && !load.X.(*ssa.Global).Object().Exported()
	}
	return false
}
