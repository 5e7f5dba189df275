package objectflow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// returnedBy returns the objects that a function reads and returns.
func (t *tracer) returnedBy(fn *ssa.Function) *returned {
	if g, known := t.returns[fn]; known {
		return g
	}
	g := &returned{results: map[int]provenance{}, entries: map[int]provenance{}}
	t.returns[fn] = g // a recursive call returns no other objects
	if len(fn.Blocks) == 0 || t.depth >= maxDepth || !t.canPassBack(fn) {
		return g
	}
	t.depth++
	defer func() { t.depth-- }()
	for _, s := range t.sources(fn) {
		o := t.follow(fn, s, true)
		for i := range o.results {
			if _, taken := g.results[i]; !taken {
				g.results[i] = s.provenance
			}
		}
		for i := range o.entries {
			if _, taken := g.entries[i]; !taken {
				g.entries[i] = s.provenance
			}
		}
	}
	return g
}

// canPassBack reports whether a function can pass an object to its caller, by its
// results, arguments or captured variables.
func (t *tracer) canPassBack(fn *ssa.Function) bool {
	if len(fn.FreeVars) > 0 {
		return true
	}
	for v := range fn.Signature.Results().Variables() {
		if mayHold(v.Type()) {
			return true
		}
	}
	for v := range fn.Signature.Params().Variables() {
		if mayHold(v.Type()) {
			return true
		}
	}
	return false
}

// mayHold reports whether a value of a type can be an object, or refer to one.
func mayHold(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		_, ok := u.Elem().Underlying().(*types.Struct)
		return ok
	case *types.Interface:
		return !isError(t)
	case *types.Map, *types.Struct:
		return true
	case *types.Slice:
		return true
	case *types.TypeParam:
		return true
	}
	return false
}

// passageOf returns what a function does with an object that it gets as its argument
// number index.
func (t *tracer) passageOf(fn *ssa.Function, index int) *passage {
	e := entry{fn, index}
	if p, known := t.passed[e]; known {
		return p
	}
	p := &passage{}
	t.passed[e] = p // a recursive call loses the object
	if len(fn.Blocks) == 0 || t.depth >= maxDepth {
		return p
	}
	t.depth++
	defer func() { t.depth-- }()
	o := t.follow(fn, source{entry: index}, true)
	p.sinks, p.unchanged, p.results = o.sinks, o.unchanged, o.results
	return p
}
