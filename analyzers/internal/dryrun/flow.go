package dryrun

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// flow evaluates one function in one mode. It uses sparse conditional constant
// propagation, in which every source is a constant.
type flow struct {
	st      *state
	fn      *ssa.Function
	mode    Mode
	args    []value          // values of the arguments if a call is followed; nil otherwise
	depth   int              // number of followed calls around this one
	assumed map[*ssa.If]bool // conditions with an assumed outcome

	vals    map[ssa.Value]value
	blocks  []bool // executed
	edges   map[[2]int]bool
	unclear []*ssa.If // conditions that depend on the dry run in ways that are not understood
}

// maxDepth is the largest number of nested calls that are followed.
const maxDepth = 4

func (f *flow) run() {
	f.vals = map[ssa.Value]value{}
	f.blocks = make([]bool, len(f.fn.Blocks))
	f.edges = map[[2]int]bool{}
	if len(f.fn.Blocks) == 0 {
		return
	}
	f.blocks[0] = true
	if f.fn.Recover != nil {
		f.blocks[f.fn.Recover.Index] = true
	}
	// Each value changes only a few times, and blocks are only added. The limit is for
	// safety.
	for range 64 {
		changed := false
		for _, b := range f.fn.Blocks {
			if f.blocks[b.Index] && f.block(b) {
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	for _, b := range f.fn.Blocks {
		if !f.blocks[b.Index] || len(b.Instrs) == 0 {
			continue
		}
		if cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && f.value(cond.Cond).kind == mixed {
			f.unclear = append(f.unclear, cond)
		}
	}
}

func (f *flow) block(b *ssa.BasicBlock) (changed bool) {
	for _, instr := range b.Instrs {
		if v, ok := instr.(ssa.Value); ok {
			got := f.eval(v)
			old, seen := f.vals[v]
			if got = join(old, got); !seen || !got.equal(old) {
				f.vals[v] = got
				changed = true
			}
		}
		if call, ok := instr.(ssa.CallInstruction); ok && f.st.noReturn(call) {
			if _, plain := instr.(*ssa.Call); plain {
				return changed
			}
		}
		switch instr := instr.(type) {
		case *ssa.Jump:
			changed = f.edge(b, 0) || changed
		case *ssa.If:
			yes, no := true, true
			if forced, ok := f.assumed[instr]; ok {
				yes, no = forced, !forced
			} else if v := f.value(instr.Cond); v.kind == undefined {
				yes, no = false, false
			} else if truth, known := v.truth(); known {
				yes, no = truth, !truth
			}
			if yes {
				changed = f.edge(b, 0) || changed
			}
			if no {
				changed = f.edge(b, 1) || changed
			}
		}
	}
	return changed
}

func (f *flow) edge(from *ssa.BasicBlock, succ int) bool {
	to := from.Succs[succ]
	key := [2]int{from.Index, to.Index}
	if f.edges[key] {
		return false
	}
	f.edges[key] = true
	f.blocks[to.Index] = true
	return true
}

// value returns what is known of v.
func (f *flow) value(v ssa.Value) value {
	switch v := v.(type) {
	case nil:
		return otherValue
	case *ssa.Const:
		if v.Value == nil {
			return nilValue
		}
		return value{kind: constKind, c: v.Value}
	case *ssa.Parameter:
		return f.parameter(v)
	case *ssa.FreeVar, *ssa.Function, *ssa.Builtin:
		return otherValue
	case *ssa.Global:
		return f.address(v.Object(), v.Type())
	}
	return f.vals[v]
}

func (f *flow) parameter(p *ssa.Parameter) value {
	for i, q := range f.fn.Params {
		if q == p && i < len(f.args) && (f.args[i].depends() || f.args[i].kind == constKind) {
			return f.args[i]
		}
	}
	return f.st.parameter(p, f.mode)
}

// address returns what is known of a pointer to a variable or field.
func (f *flow) address(obj types.Object, pointer types.Type) value {
	v, ok := obj.(*types.Var)
	if !ok {
		return otherValue
	}
	if w := f.st.vars.describe(v); w.ok {
		inner := f.source(v, w)
		return value{kind: ref, dependent: true, target: &inner}
	}
	return otherValue
}

// eval returns the value of an instruction. A local variable whose name says dry run is a
// source, if its value does not come from another source.
func (f *flow) eval(v ssa.Value) value {
	got := f.operation(v)
	if got.kind == other && f.st.namedLocal(v) != nil {
		return dryRunValue(v.Type(), f.mode, false)
	}
	return got
}

func (f *flow) operation(v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Phi:
		return f.phi(v)
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			return f.load(v.X)
		case token.NOT:
			x := f.value(v.X)
			if truth, known := x.truth(); known {
				return boolean(!truth, x.dependent)
			}
			return x
		}
		return f.unevaluated(v.X)
	case *ssa.BinOp:
		switch v.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			if v.Op == token.LSS && f.isLengthOfNothing(v.Y) {
				return boolean(false, f.value(v.Y).dependent) // an index is never negative
			}
			return compare(v.Op, f.value(v.X), f.value(v.Y), f.mode)
		}
		return f.unevaluated(v.X, v.Y)
	case *ssa.Field:
		return f.field(fieldOf(v.X.Type(), v.Field))
	case *ssa.FieldAddr:
		return f.address(fieldOf(v.X.Type(), v.Field), v.Type())
	case *ssa.Call:
		if _, tuple := v.Type().(*types.Tuple); tuple {
			return otherValue
		}
		return f.call(v, 0, v.Type())
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Call:
			return f.call(t, v.Index, v.Type())
		case *ssa.TypeAssert:
			if l := lookedUpIn(t.X); l != nil && v.Index == 0 {
				return f.lookup(l, t.AssertedType)
			}
			if v.Index == 0 {
				return f.value(t.X)
			}
		case *ssa.Lookup:
			return f.lookup(t, v.Type())
		case *ssa.UnOp:
			if t.Op == token.ARROW && v.Index == 1 && f.st.nothingSent(t.X, f.fn, f.mode) {
				return boolean(false, true)
			}
		}
		return otherValue
	case *ssa.Lookup:
		if v.CommaOk {
			return otherValue
		}
		return f.lookup(v, v.Type())
	case *ssa.ChangeType:
		return f.value(v.X)
	case *ssa.Convert:
		return f.value(v.X)
	case *ssa.MakeInterface:
		return f.value(v.X)
	case *ssa.ChangeInterface:
		return f.value(v.X)
	case *ssa.TypeAssert:
		if l := lookedUpIn(v.X); l != nil && !v.CommaOk {
			return f.lookup(l, v.AssertedType)
		}
		return f.value(v.X)
	case *ssa.Slice:
		if x := f.value(v.X); x.kind == list || x.kind == mixed || x.kind == undefined {
			return x
		}
		return otherValue
	}
	return otherValue
}

// source returns the value of a variable that holds the dry run. The pointer that a flag
// package returns is never nil.
func (f *flow) source(v *types.Var, w dryRunVar) value {
	p, pointer := types.Unalias(v.Type()).(*types.Pointer)
	if !pointer || !w.bound {
		return dryRunValue(v.Type(), f.mode, w.negative)
	}
	inner := dryRunValue(p.Elem(), f.mode, w.negative)
	if inner.kind == other {
		return otherValue
	}
	return value{kind: ref, dependent: true, target: &inner}
}

// isLengthOfNothing reports whether a value is the length of an empty slice or map.
func (f *flow) isLengthOfNothing(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" {
		return false
	}
	length := f.value(v)
	return length.kind == constKind && constant.Sign(length.c) == 0
}

func (f *flow) phi(p *ssa.Phi) value {
	var got value
	for i, pred := range p.Block().Preds {
		if f.edges[[2]int{pred.Index, p.Block().Index}] {
			got = join(got, f.value(p.Edges[i]))
		}
	}
	if got.kind == other || got.kind == mixed {
		// var dryRun bool, set under conditions that are not understood
		if ok, negative := dryRunName(p.Comment); ok && shapeOf(p.Type()) != 0 {
			return dryRunValue(p.Type(), f.mode, negative)
		}
	}
	return got
}

// unevaluated returns the result of an operation that flow does not evaluate. It
// depends on the dry run if one of the operands does.
func (f *flow) unevaluated(operands ...ssa.Value) value {
	for _, o := range operands {
		switch v := f.value(o); {
		case v.kind == undefined:
			return value{}
		case v.dependent:
			return mixedValue
		}
	}
	return otherValue
}

func (f *flow) field(v *types.Var) value {
	if v == nil {
		return otherValue
	}
	if w := f.st.vars.describe(v); w.ok {
		return f.source(v, w)
	}
	if f.st.overridden[v] {
		return mixedValue
	}
	return otherValue
}

func (f *flow) load(x ssa.Value) value {
	switch x := x.(type) {
	case *ssa.FieldAddr:
		return f.field(fieldOf(x.X.Type(), x.Field))
	case *ssa.Global:
		if v, ok := x.Object().(*types.Var); ok && f.st.overridden[v] {
			return mixedValue
		}
	case *ssa.IndexAddr:
		switch l := f.value(x.X); l.kind {
		case list:
			if shapeOf(x.X.Type()) != List {
				return mixedValue
			}
			return value{kind: constKind, c: constant.MakeString("All"), dependent: true}
		case mixed, undefined:
			return l
		}
		return otherValue
	case *ssa.Alloc:
		return f.st.cell(x, f.mode, f)
	case *ssa.FreeVar:
		if a := f.st.captured(x); a != nil {
			return f.st.cell(a, f.mode, f)
		}
		if ok, negative := dryRunName(x.Name()); ok {
			if p, isPtr := x.Type().(*types.Pointer); isPtr && shapeOf(p.Elem()) != 0 {
				return dryRunValue(p.Elem(), f.mode, negative)
			}
		}
		return otherValue
	}
	switch v := f.value(x); v.kind {
	case ref:
		return *v.target
	case mixed, undefined:
		return v
	}
	return otherValue
}

// lookup returns what is known of an element of a map, such as values["dry-run"].
func (f *flow) lookup(l *ssa.Lookup, t types.Type) value {
	if c, ok := l.Index.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		if ok, negative := dryRunName(constant.StringVal(c.Value)); ok {
			switch {
			case shapeOf(t) != 0:
				return dryRunValue(t, f.mode, negative)
			case types.IsInterface(t):
				return mixedValue
			}
		}
	}
	return f.unevaluated(l.Index)
}

// fieldOf returns the declared field number i of a struct, or of the struct to which a
// pointer points.
func fieldOf(t types.Type, i int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || i >= st.NumFields() {
		return nil
	}
	return st.Field(i).Origin()
}
