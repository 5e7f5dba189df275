package apicall

import (
	"go/ast"
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// memory returns the setting in a location right before an instruction.
func (f *flow) memory(l location, at ssa.Instruction, fr *frame) outcome {
	leave, ok := f.enter(l.root, l.path, at, fr)
	if !ok {
		return none
	}
	defer leave()
	if g, ok := l.root.(*ssa.Global); ok {
		return f.global(g, l, at, fr)
	}
	return f.join(f.definitions(l, at), fr)
}

// join returns the setting in a location that has one of several definitions.
func (f *flow) join(ds []definition, fr *frame) outcome {
	out := none
	for _, d := range ds {
		out = join(out, f.definition(d, fr))
	}
	return out
}

func (f *flow) definition(d definition, fr *frame) outcome {
	switch d.origin {
	case zeroMemory:
		return unset
	case stored:
		fr = f.frameOf(d, fr)
		out := f.value(d.value, d.rest, d.at, fr)
		if len(d.rest) == 0 {
			out = f.storedSetting(out, d, fr)
		}
		return out
	case entered:
		return f.entrySetting(d, fr)
	case changed:
		return f.settingAfterCall(d, fr)
	}
	return unknown
}

// storedSetting completes the outcome for a value that a store puts into a field of
// options. The setting is then Set, even if the value is a parameter or a field.
func (f *flow) storedSetting(out outcome, d definition, fr *frame) outcome {
	if out.noValue {
		return out
	}
	if e := f.program.expression(d.at); e != nil {
		out.Value = e
	}
	switch {
	case out.State == Unknown:
		out.State, out.SSA = Set, d.value
	case out.State == Passed && !f.forwards(out):
		out.State = Set
	case out.State == Unset && isString(d.value.Type()):
		out.State, out.Constant, out.SSA = Set, constant.MakeString(""), d.value
	}
	if out.SSA == nil {
		out.SSA = d.value
	}
	return out
}

// forwards reports whether a value comes from a caller's options. The function then
// passes the setting on and does not make it.
func (f *flow) forwards(out outcome) bool {
	if out.Param != nil && IsOptions(out.Param.Type()) {
		return true
	}
	return out.Field != nil && IsOptions(out.Field.Type())
}

// expression returns the source expression of the value that an instruction stores, or
// nil if it is not known.
func (p *program) expression(at ssa.Instruction) ast.Expr {
	p.prepare()
	return p.sources[at.Pos()]
}

// entrySetting returns the setting that a location has before the function changes it.
// The root of the location is a parameter, a captured variable, a value from several
// paths (ssa.Phi), or the result of a call.
func (f *flow) entrySetting(d definition, fr *frame) outcome {
	l := d.location
	switch root := l.root.(type) {
	case *ssa.Parameter:
		if fr != nil && fr.call != nil && fr.fn == root.Parent() {
			return f.parameter(root, append([]step{deref}, l.path...), fr)
		}
		return f.passed(root, append([]step{deref}, l.path...))
	case *ssa.FreeVar:
		return f.capturedMemory(root, l, fr)
	case *ssa.Phi:
		leave, ok := f.enter(root, l.path, nil, fr)
		if !ok {
			return none
		}
		defer leave()
		out := none
		for i, e := range root.Edges {
			pred := root.Block().Preds[i]
			out = join(out, f.value(e, append([]step{deref}, l.path...), pred.Instrs[len(pred.Instrs)-1], fr))
		}
		return out
	case *ssa.Call:
		return f.result(root, 0, append([]step{deref}, l.path...), fr)
	case *ssa.Extract:
		if c, ok := root.Tuple.(*ssa.Call); ok {
			return f.result(c, root.Index, append([]step{deref}, l.path...), fr)
		}
	}
	return unknown
}

// global returns the setting in a package variable, from all values that the package
// stores in it. It returns unknown for variables of other packages.
func (f *flow) global(g *ssa.Global, l location, at ssa.Instruction, fr *frame) outcome {
	f.program.collect()
	if g.Pkg != f.program.pkg || f.program.escapes(g) {
		return unknown
	}
	out := none
	for _, s := range f.program.globalStores[g] {
		a := locate(s.Addr)
		if len(a.path) > len(l.path) || !slices.Equal(a.path, l.path[:len(a.path)]) {
			continue
		}
		out = join(out, f.definition(definition{origin: stored, value: s.Val, rest: l.path[len(a.path):], at: s}, nil))
	}
	if g.Object() != nil && g.Object().Exported() && out.State != Set {
		return unknown
	}
	if out.noValue {
		return unset
	}
	return out
}

// definition is one possible content of a location.
type definition struct {
	origin originKind
	// value is the stored value. rest is the path from the value to the location. at is the
	// instruction that stores or changes the content.
	value ssa.Value
	rest  []step
	at    ssa.Instruction
	// location is the examined location if origin is entered.
	location location
	// inside is the function literal that stored the value in a captured variable. It
	// is nil if the function itself stored the value.
	inside *ssa.Function
	// before has the contents that the location may have before the call at changes it.
	before []definition
}
