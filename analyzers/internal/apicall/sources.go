package apicall

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// source is the place from which a value comes, as far as the package shows. It is one
// of these:
//
//   - a constant
//   - a call of another package's function
//   - a variable of another package
//   - the value at a path in a parameter or a field
type source struct {
	value ssa.Value
	path  []step
	at    ssa.Instruction
	frame *frame
	// zero is set for a variable without an assigned value.
	zero bool
	// lost is set if the value was not followed.
	lost bool
}

// sources returns the places from which a value may come. It returns none if the value
// only comes from itself in a loop.
func (f *flow) sources(v ssa.Value, path []step, at ssa.Instruction, fr *frame) []source {
	f.steps++
	if f.steps > maxSteps {
		return []source{{lost: true}}
	}
	if len(path) > 0 && path[0] == deref {
		return f.sourcesAt(locate(v).to(path[1:]), at, fr)
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			if _, global := v.X.(*ssa.Global); global && v.X.(*ssa.Global).Pkg != f.program.pkg {
				break
			}
			return f.sourcesAt(locate(v.X).to(path), v, fr)
		}
	case *ssa.Field:
		return f.sources(v.X, append([]step{step(v.Field)}, path...), at, fr)
	case *ssa.Phi:
		leave, ok := f.enter(v, path, nil, fr)
		if !ok {
			return nil
		}
		defer leave()
		var out []source
		for i, e := range v.Edges {
			pred := v.Block().Preds[i]
			out = append(out, f.sources(e, path, pred.Instrs[len(pred.Instrs)-1], fr)...)
		}
		return out
	case *ssa.ChangeType:
		return f.sources(v.X, path, at, fr)
	case *ssa.ChangeInterface:
		return f.sources(v.X, path, at, fr)
	case *ssa.MakeInterface:
		return f.sources(v.X, path, at, fr)
	case *ssa.Convert:
		return f.sources(v.X, path, at, fr)
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return f.sources(v.X, path, at, fr)
		}
	case *ssa.Parameter:
		if arg, in, ok := argument(v, fr); ok {
			return f.sources(arg, path, fr.call, in)
		}
	case *ssa.FreeVar:
		if binding, made := f.program.bound(v); binding != nil {
			return f.sources(binding, path, made, outerOf(fr))
		}
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return f.sourcesOf(v, c, v.Index, path, at, fr)
		}
		if a, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
			return f.sources(a.X, path, at, fr)
		}
	case *ssa.Call:
		if same, ok := fluent(v); ok {
			return f.sources(same, path, at, fr)
		}
		return f.sourcesOf(v, v, 0, path, at, fr)
	}
	return []source{{value: v, path: path, at: at, frame: fr}}
}

// sourcesOf returns the sources of a path in the result of a call. If the called
// function is in the package, it follows the values that the function returns.
func (f *flow) sourcesOf(v ssa.Value, c *ssa.Call, index int, path []step, at ssa.Instruction, fr *frame) []source {
	callee, inside := f.callee(c, fr)
	if callee == nil || tooDeep(fr) {
		return []source{{value: v, path: path, at: at, frame: fr}}
	}
	leave, ok := f.enter(v, path, nil, fr)
	if !ok {
		return nil
	}
	defer leave()
	var out []source
	for _, ret := range returnsOf(callee) {
		if index < len(ret.Results) {
			out = append(out, f.sources(ret.Results[index], path, ret, inside)...)
		}
	}
	return out
}

// sourcesAt returns the sources of the content of a location.
func (f *flow) sourcesAt(l location, at ssa.Instruction, fr *frame) []source {
	leave, ok := f.enter(l.root, l.path, at, fr)
	if !ok {
		return nil
	}
	defer leave()
	if g, ok := l.root.(*ssa.Global); ok {
		return f.sourcesOfGlobal(g, l)
	}
	return f.sourcesIn(f.definitions(l, at), l, at, fr)
}

func (f *flow) sourcesIn(ds []definition, l location, at ssa.Instruction, fr *frame) []source {
	var out []source
	for _, d := range ds {
		switch d.origin {
		case zeroMemory:
			out = append(out, source{value: l.root, path: l.path, at: at, frame: fr, zero: true})
		case stored:
			out = append(out, f.sources(d.value, d.rest, d.at, f.frameOf(d, fr))...)
		case entered:
			out = append(out, f.sourcesOfEntry(d, at, fr)...)
		case changed:
			if f.stateful(d.at.(ssa.CallInstruction), d.location) {
				// The call returns the same request or Helper with other settings.
				out = append(out, f.sourcesIn(d.before, l, at, fr)...)
			} else {
				out = append(out, source{lost: true})
			}
		default:
			out = append(out, source{lost: true})
		}
	}
	return out
}

func (f *flow) sourcesOfEntry(d definition, at ssa.Instruction, fr *frame) []source {
	behind := append([]step{deref}, d.location.path...)
	switch root := d.location.root.(type) {
	case *ssa.Parameter:
		if arg, in, ok := argument(root, fr); ok {
			return f.sources(arg, behind, fr.call, in)
		}
	case *ssa.FreeVar:
		if binding, made := f.program.bound(root); binding != nil {
			return f.sourcesAt(locate(binding).to(d.location.path), made, outerOf(fr))
		}
	case *ssa.Phi:
		leave, ok := f.enter(root, behind, nil, fr)
		if !ok {
			return nil
		}
		defer leave()
		var out []source
		for i, e := range root.Edges {
			pred := root.Block().Preds[i]
			out = append(out, f.sources(e, behind, pred.Instrs[len(pred.Instrs)-1], fr)...)
		}
		return out
	case *ssa.Call:
		return f.sourcesOf(root, root, 0, behind, at, fr)
	case *ssa.Extract:
		if c, ok := root.Tuple.(*ssa.Call); ok {
			return f.sourcesOf(root, c, root.Index, behind, at, fr)
		}
	}
	return []source{{value: d.location.root, path: behind, at: at, frame: fr}}
}

// sourcesOfGlobal returns the sources of all values that the package stores in a
// package variable.
func (f *flow) sourcesOfGlobal(g *ssa.Global, l location) []source {
	f.program.collect()
	if g.Pkg != f.program.pkg {
		return []source{{value: g, path: append([]step{deref}, l.path...)}}
	}
	if f.program.escapes(g) {
		return []source{{lost: true}}
	}
	var out []source
	for _, s := range f.program.globalStores[g] {
		a := locate(s.Addr)
		if len(a.path) > len(l.path) || !slices.Equal(a.path, l.path[:len(a.path)]) {
			continue
		}
		out = append(out, f.sources(s.Val, l.path[len(a.path):], s, nil)...)
	}
	if len(out) == 0 {
		out = append(out, source{value: g, path: l.path, zero: true})
	}
	return out
}
