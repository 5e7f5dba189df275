package expression

import (
	"strconv"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// analysis is the result of analysing an expression.
type analysis struct {
	// used are the paths that the expression uses to compute values.
	used paths
	// value are the paths that may contain the expression's value.
	value paths
}

func (r analysis) allPaths() []Path { return r.used.with(r.value...) }

// readsOf analyses a type-checked expression. variables has the results for the
// policy's variables.
func readsOf(a *cel.Ast, variables map[string]analysis) analysis {
	w := walker{variables: variables}
	value := w.value(a.NativeRep().Expr(), nil)
	return analysis{used: w.used, value: value}
}

type walker struct {
	variables map[string]analysis
	used      paths
}

// scope is a variable of a comprehension, with the paths of its value. outer is
// the scope around it.
type scope struct {
	name  string
	value paths
	outer *scope
}

// value returns the paths that may contain an expression's value. It returns none
// if the value is computed; the operands are then added to used.
func (w *walker) value(e ast.Expr, s *scope) paths {
	switch e.Kind() {
	case ast.IdentKind:
		return w.ident(e.AsIdent(), s)
	case ast.SelectKind:
		return w.selected(e.AsSelect(), s)
	case ast.CallKind:
		return w.call(e.AsCall(), s)
	case ast.ComprehensionKind:
		return w.comprehension(e.AsComprehension(), s)
	case ast.ListKind:
		var items paths
		for _, item := range e.AsList().Elements() {
			for _, p := range w.value(item, s) {
				// A list literal with all items of another list counts as the
				// other list.
				if last := len(p) - 1; p[last] == Each {
					items = items.with(p[:last])
				} else {
					w.used = w.used.with(p)
				}
			}
		}
		return items
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			w.use(entry.AsMapEntry().Key(), s)
			w.use(entry.AsMapEntry().Value(), s)
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			w.use(field.AsStructField().Value(), s)
		}
	}
	return nil
}

// use records that an expression computes with the value of e. It adds the paths
// that can contain this value to w.used.
func (w *walker) use(e ast.Expr, s *scope) { w.used = w.used.with(w.value(e, s)...) }

func (w *walker) ident(name string, s *scope) paths {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return s.value
		}
	}
	return paths{{name}}
}

func (w *walker) selected(sel ast.SelectExpr, s *scope) paths {
	operand := w.value(sel.Operand(), s)
	if len(operand) == 1 && len(operand[0]) == 1 && operand[0][0] == "variables" {
		r := w.variables[sel.FieldName()]
		w.used = w.used.with(r.used...)
		return r.value
	}
	return appendToAll(operand, sel.FieldName())
}

func appendToAll(all paths, step string) paths {
	var more paths
	for _, p := range all {
		more = more.with(p.appendStep(step))
	}
	return more
}

func (w *walker) call(c ast.CallExpr, s *scope) paths {
	args := c.Args()
	switch c.FunctionName() {
	case operators.Index, operators.OptIndex, operators.OptSelect:
		if len(args) != 2 {
			break
		}
		operand := w.value(args[0], s)
		if args[1].Kind() == ast.LiteralKind {
			switch key := args[1].AsLiteral().(type) {
			case types.String:
				if c.FunctionName() == operators.OptSelect && len(operand) == 1 && operand[0].String() == "variables" {
					r := w.variables[string(key)]
					w.used = w.used.with(r.used...)
					return r.value
				}
				return appendToAll(operand, string(key))
			case types.Int:
				return appendToAll(operand, "["+strconv.FormatInt(int64(key), 10)+"]")
			}
		}
		w.use(args[1], s)
		return appendToAll(operand, Each)
	case operators.Conditional:
		if len(args) == 3 {
			w.use(args[0], s)
			return paths(nil).with(w.value(args[1], s)...).with(w.value(args[2], s)...)
		}
	case operators.Add:
		if len(args) == 2 {
			return paths(nil).with(w.value(args[0], s)...).with(w.value(args[1], s)...)
		}
	case "orValue", "or", "value":
		if c.IsMemberFunction() {
			value := w.value(c.Target(), s)
			for _, arg := range args {
				value = value.with(w.value(arg, s)...)
			}
			return value
		}
	}
	if c.IsMemberFunction() {
		w.use(c.Target(), s)
	}
	for _, arg := range args {
		w.use(arg, s)
	}
	return nil
}

// comprehension analyses the body of a loop once. The accumulator of filter and
// map can have items of the list.
func (w *walker) comprehension(c ast.ComprehensionExpr, s *scope) paths {
	items := appendToAll(w.value(c.IterRange(), s), Each)
	initial := w.value(c.AccuInit(), s)
	inner := &scope{c.AccuVar(), initial, &scope{c.IterVar(), items, s}}
	if c.HasIterVar2() {
		inner = &scope{c.IterVar2(), items, inner}
	}
	before := len(w.used)
	w.use(c.LoopCondition(), inner)
	step := w.value(c.LoopStep(), inner)
	if len(w.used) == before && len(step) == 0 {
		w.used = w.used.with(items...) // the loop uses only the number of items
	}
	return w.value(c.Result(), &scope{c.AccuVar(), initial.with(step...), s})
}
