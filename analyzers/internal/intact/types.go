package intact

import (
	"go/ast"
	"go/token"
	"go/types"
)

// checker decides which types and syntax nodes are valid.
type checker struct {
	info *types.Info
	memo map[types.Type]bool
	// errors has the positions of errors that do not make a type invalid, such as a missing
	// argument.
	errors []token.Pos
	// types has the types of copied expressions.
	types map[ast.Expr]types.TypeAndValue
	// uses has the objects of added names.
	uses map[*ast.Ident]types.Object
}

// typeKnown reports whether the type of a declared object is known.
func (c *checker) typeKnown(o types.Object) bool {
	switch o.(type) {
	case *types.Var, *types.Const, *types.TypeName, *types.Func:
		return c.known(o.Type())
	}
	return true // packages, labels, nil and built-in functions have no type
}

// known reports whether the parts of a type that its text names are valid. A field of a
// named struct may still have an unknown type.
func (c *checker) known(t types.Type) bool {
	if t == nil {
		return true
	}
	if b, ok := t.(*types.Basic); ok {
		return b.Kind() != types.Invalid
	}
	known, ok := c.memo[t]
	if !ok {
		c.memo[t] = true // a type that contains itself is not invalid for this reason
		known = c.parts(t)
		c.memo[t] = known
	}
	return known
}

func (c *checker) parts(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return c.known(types.Unalias(t))
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if !c.known(arg) {
				return false
			}
		}
		b, basic := t.Underlying().(*types.Basic)
		return !basic || b.Kind() != types.Invalid
	case *types.Pointer:
		return c.known(t.Elem())
	case *types.Slice:
		return c.known(t.Elem())
	case *types.Array:
		return c.known(t.Elem())
	case *types.Chan:
		return c.known(t.Elem())
	case *types.Map:
		return c.known(t.Key()) && c.known(t.Elem())
	case *types.Signature:
		return c.known(t.Params()) && c.known(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if !c.known(v.Type()) {
				return false
			}
		}
	case *types.Struct:
		return c.fields(t)
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if !c.known(m.Type()) {
				return false
			}
		}
		for e := range t.EmbeddedTypes() {
			if !c.known(e) {
				return false
			}
		}
	}
	return true
}

func (c *checker) fields(s *types.Struct) bool {
	for f := range s.Fields() {
		if !c.known(f.Type()) {
			return false
		}
	}
	return true
}

// hasError reports whether an error is inside a node.
func (c *checker) hasError(n ast.Node) bool {
	for _, pos := range c.errors {
		if n.Pos() <= pos && pos <= n.End() {
			return true
		}
	}
	return false
}

// compiles reports whether a node was parsed without errors, and all types in it are
// known.
func (c *checker) compiles(n ast.Node) bool {
	if c.hasError(n) {
		return false
	}
	sound := true
	ast.Inspect(n, func(n ast.Node) bool {
		sound = sound && c.isValid(n)
		if f, ok := n.(*ast.Field); ok && f.Tag != nil && sound {
			// The tag is the only expression without a type.
			for _, name := range f.Names {
				sound = sound && c.isValid(name)
			}
			sound = sound && c.compiles(f.Type)
			return false
		}
		return sound
	})
	return sound
}

// isValid reports whether a node is valid. It does not examine the node's children.
func (c *checker) isValid(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BadExpr, *ast.BadStmt, *ast.BadDecl:
		return false
	case *ast.BlockStmt:
		return n.Rbrace.IsValid()
	case *ast.Ident:
		return c.ident(n)
	case *ast.CaseClause:
		if o := c.info.Implicits[n]; o != nil {
			return c.typeKnown(o)
		}
	case *ast.CompositeLit:
		return c.literal(n)
	case *ast.TypeAssertExpr:
		return n.Type == nil || c.hasType(n)
	case *ast.CallExpr, *ast.FuncLit, *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr, *ast.SliceExpr, *ast.IndexExpr,
		*ast.IndexListExpr, *ast.BasicLit:
		return c.hasType(n.(ast.Expr))
	case *ast.SelectorExpr:
		// The operand of unsafe.Offsetof has no type of its own.
		s := c.info.Selections[n]
		return s == nil || c.known(s.Type())
	}
	return true
}

// hasType reports whether the type checker knows the type of an expression.
func (c *checker) hasType(e ast.Expr) bool {
	tv, ok := c.info.Types[e]
	return ok && c.known(tv.Type)
}

func (c *checker) ident(id *ast.Ident) bool {
	if id.Name == "_" {
		return true
	}
	if o, ok := c.info.Defs[id]; ok {
		return o == nil || c.typeKnown(o)
	}
	o := c.use(id)
	return o != nil && c.typeKnown(o)
}

// use returns the object that a name stands for, also in repaired code.
func (c *checker) use(id *ast.Ident) types.Object {
	if o := c.uses[id]; o != nil {
		return o
	}
	return c.info.Uses[id]
}

// literal reports whether a composite literal is valid. If it has no keys, the types of all
// fields of the struct must be known.
func (c *checker) literal(lit *ast.CompositeLit) bool {
	if !c.hasType(lit) {
		return false
	}
	if len(lit.Elts) == 0 {
		return true
	}
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); keyed {
		return true
	}
	t := c.info.Types[lit].Type.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	s, ok := t.(*types.Struct)
	return !ok || c.fields(s)
}
