package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// writer is the fact that a function writes while dry run is asked for.
type writer struct {
	// Text is Write.Text of its first write, with what others do to the same
	// thing; Depth is the number of functions between.
	Text  string
	Depth int
	// Heedless is set where the function is told of the wish, as part of its
	// options, and does not mind: it never looks at it, or writes whatever
	// comes. A condition of one that looks may depend on it in ways that are
	// not followed.
	Heedless bool
}

// AFact marks writer as a fact.
func (*writer) AFact() {}

// String is how tests see the fact.
func (w *writer) String() string { return "writes: " + w.Text }

// export tells importers which functions write whatever they wish, and which
// tell of the wish.
func (s *state) export() {
	for _, fn := range s.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || obj.Pkg() != s.pass.Pkg || !obj.Exported() || s.inTest(fn) {
			continue
		}
		if value, ok := s.tells(fn); ok {
			s.pass.ExportObjectFact(obj, &predicate{Value: value})
		}
		s.exportWriter(fn, obj)
	}
	s.exportCareless()
}

func (s *state) exportWriter(fn *ssa.Function, obj *types.Func) {
	src, own := s.nearest(fn, nil)
	if own {
		return // it is told of where it is
	}
	var texts []string
	least := 0
	writes := s.writes(fn, Client)
	heedless := src != nil && src.Kind == Field
	if heedless && s.consults(fn) {
		plain := slices.DeleteFunc(slices.Clone(writes), func(w *Write) bool { return !s.unconditional(w) })
		if heedless = len(plain) > 0; heedless {
			writes = plain
		}
	}
	for _, w := range writes {
		depth := len(w.Via)
		if w.Callee != nil {
			depth++
		}
		if depth > maxDistance {
			continue
		}
		if len(texts) == 0 {
			least = depth
		}
		texts = append(texts, w.Text)
	}
	if len(texts) > 0 {
		s.pass.ExportObjectFact(obj, &writer{Text: together(texts), Depth: least, Heedless: heedless})
	}
}

// tells reports whether a function's only answer depends on the wish.
func (s *state) tells(fn *ssa.Function) (value, ok bool) {
	if !s.wishful {
		return false, false
	}
	results := fn.Signature.Results()
	if results.Len() == 0 || shapeOf(results.At(0).Type()) != Bool {
		return false, false
	}
	on, known := s.result(fn, 0, Client, nil, 1).truth()
	if !known {
		return false, false
	}
	offValue, known := s.result(fn, 0, off, nil, 1).truth()
	return on, known && on != offValue
}
