package apicall

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// prepare fills the maps that find the source code of an instruction.
func (p *program) prepare() {
	p.index.Do(func() {
		p.sources = map[token.Pos]ast.Expr{}
		p.calls = map[token.Pos]*ast.CallExpr{}
		for _, file := range p.pass.Files {
			ast.Inspect(file, p.remember)
		}
	})
}

func (p *program) remember(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		p.calls[n.Lparen] = n
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				p.sources[kv.Colon] = kv.Value
			} else {
				p.sources[e.Pos()] = e
			}
		}
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			for i, l := range n.Lhs {
				p.sources[target(l)] = n.Rhs[i]
			}
		}
	case *ast.ValueSpec:
		if len(n.Names) == len(n.Values) {
			for i, name := range n.Names {
				p.sources[name.Pos()] = n.Values[i]
			}
		}
	}
	return true
}

// target returns the position of a store to an expression in SSA form.
func target(e ast.Expr) token.Pos {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return e.Sel.Pos()
	case *ast.StarExpr:
		return e.Star
	case *ast.IndexExpr:
		return e.Lbrack
	default:
		return e.Pos()
	}
}

// collect records the stores in the whole package, and the callers of each function.
func (p *program) collect() {
	p.stores.Do(func() {
		p.fields = map[*types.Var][]*ssa.Store{}
		p.globals = map[*ssa.Global][]*ssa.Store{}
		p.localStores = map[ssa.Value][]*ssa.Store{}
		p.globalStores = map[*ssa.Global][]*ssa.Store{}
		p.taken = map[*types.Var]bool{}
		p.escaped = map[*ssa.Global]bool{}
		p.callers = map[*ssa.Function][]ssa.CallInstruction{}
		p.literals = map[*ssa.Function]*ssa.MakeClosure{}
		p.values = map[*ssa.Function]bool{}
		for _, f := range p.all {
			for _, b := range f.Blocks {
				for _, i := range b.Instrs {
					p.collectFrom(i)
				}
			}
		}
	})
}

func (p *program) collectFrom(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Store:
		switch root := locate(i.Addr).root.(type) {
		case *ssa.Global:
			p.globalStores[root] = append(p.globalStores[root], i)
		case *ssa.Alloc, *ssa.FreeVar:
			p.localStores[root] = append(p.localStores[root], i)
		}
		switch addr := i.Addr.(type) {
		case *ssa.FieldAddr:
			f := fieldOf(addr.X.Type(), addr.Field)
			p.fields[f] = append(p.fields[f], i)
		case *ssa.Global:
			p.globals[addr] = append(p.globals[addr], i)
		}
	case ssa.CallInstruction:
		common := i.Common()
		if f := common.StaticCallee(); f != nil {
			f = origin(f)
			p.callers[f] = append(p.callers[f], i)
		}
		for _, arg := range common.Args {
			if c, ok := arg.(*ssa.Const); ok && c.Value == nil {
				continue
			}
			p.escape(arg)
		}
		if !common.IsInvoke() && common.StaticCallee() == nil {
			p.escape(common.Value)
		}
		return
	}
	var operands [16]*ssa.Value
	for _, o := range i.Operands(operands[:0]) {
		if *o != nil {
			if f, ok := (*o).(*ssa.Function); ok {
				p.values[origin(f)] = true
			}
		}
	}
	switch i := i.(type) {
	case *ssa.MakeInterface:
		p.escape(i.X)
	case *ssa.MakeClosure:
		if fn, ok := i.Fn.(*ssa.Function); ok {
			p.literals[fn] = i
		}
	}
}

// escape records that the address of a field or variable is passed to other code, such
// as a flag set.
func (p *program) escape(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		p.taken[fieldOf(v.X.Type(), v.Field)] = true
	case *ssa.Global:
		p.escaped[v] = true
	case *ssa.Function:
		p.values[origin(v)] = true
	}
}

// escapes reports whether code that is not followed may change a variable of the
// package.
func (p *program) escapes(g *ssa.Global) bool { return p.escaped[g] || p.code.Mentions(g.Object()) }

// origin returns the generic function of an instance, and otherwise f.
func origin(f *ssa.Function) *ssa.Function {
	if o := f.Origin(); o != nil {
		return o
	}
	return f
}

// fieldOf returns the declared field with an index, of a struct or of the struct that a
// pointer points to. It is nil for other types, such as type parameters.
func fieldOf(t types.Type, index int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		t = n.Origin()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || index < 0 || index >= s.NumFields() {
		return nil
	}
	return s.Field(index).Origin()
}
