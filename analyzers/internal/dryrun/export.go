package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// writer is the fact that a function writes while dry run is asked for.
type writer struct {
	// Text is Write.Text of its first write, together with other writes to the same
	// object. Depth is the number of functions between.
	Text  string
	Depth int
	// Heedless is set if the function gets the wish, as part of its options, and does
	// not obey it: it never looks at it, or writes in any case. If the function looks
	// at the wish, a condition may depend on it in ways that are not followed.
	Heedless bool
}

// AFact marks writer as a fact.
func (*writer) AFact() {}

// String is how tests see the fact.
func (w *writer) String() string {
	if w.Heedless {
		return "writes heedlessly: " + w.Text
	}
	return "writes: " + w.Text
}

// export exports facts about functions that write whatever they are asked, and about
// functions that report the wish.
func (s *state) export() {
	for _, fn := range s.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || obj.Pkg() != s.pass.Pkg || !obj.Exported() || s.inTest(fn) {
			continue
		}
		if value, ok := s.tells(fn); ok {
			s.pass.ExportObjectFact(obj, &predicate{Value: value})
		}
		if s.wishful && s.consults(fn) {
			s.pass.ExportObjectFact(obj, &asks{})
		}
		s.exportWriter(fn, obj)
	}
	s.exportMethods()
	s.exportMade()
	s.exportCareless()
}

// exportMethods exports facts about the methods of an interface that one type of the
// package implements.
func (s *state) exportMethods() {
	scope := s.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() || !types.IsInterface(tn.Type()) {
			continue
		}
		i, ok := tn.Type().Underlying().(*types.Interface)
		if n, named := tn.Type().(*types.Named); !ok || !named || n.TypeParams().Len() > 0 {
			continue
		}
		for m := range i.ExplicitMethods() {
			if impl := s.onlyImplementation(i, m); impl != nil && m.Exported() {
				s.exportWriter(impl, m)
			}
		}
	}
}

// onlyImplementation is the method of the one type of the package, tests aside, that
// implements an interface; nil if there are none or several.
func (s *state) onlyImplementation(i *types.Interface, m *types.Func) *ssa.Function {
	var only *ssa.Function
	for _, fn := range s.methods[m.Name()] {
		recv := fn.Signature.Recv().Type()
		if s.inTest(fn) || !types.Implements(recv, i) && !types.Implements(types.NewPointer(recv), i) {
			continue
		}
		if only != nil {
			return nil
		}
		only = fn
	}
	return only
}

func (s *state) exportWriter(fn *ssa.Function, obj *types.Func) {
	src, own := s.nearest(fn, nil)
	if own && src.Kind == Field && s.expects(src, fn) {
		own = false
	}
	// The writes of a function with a wish of its own are reported in its package.
	if !own && s.exportWrites(fn, obj, src) || own && src.Kind != Field {
		return
	}
	indirect, heedless := s.whatever(fn, src, s.indirect(fn, Client))
	s.exportThrough(obj, indirect, heedless)
}

// exportWrites exports a fact about the writes of a function, and reports whether it
// did.
func (s *state) exportWrites(fn *ssa.Function, obj *types.Func, src *Source) bool {
	writes, heedless := s.whatever(fn, src, s.writes(fn, Client))
	s.exportChanges(obj, writes)
	var texts []string
	least := 0
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
	if len(texts) > 0 && !(heedless && s.reports(fn, src)) {
		s.pass.ExportObjectFact(obj, &writer{Text: together(texts), Depth: least, Heedless: heedless})
	}
	return len(texts) > 0
}

// reports reports whether the writes that fn makes in any case are findings of the package.
func (s *state) reports(fn *ssa.Function, src *Source) bool {
	return src != nil && s.expects(src, fn)
}

// whatever returns the writes that a function makes regardless of the wish that it
// gets, and whether there are any. It returns all writes if there are none.
func (s *state) whatever(fn *ssa.Function, src *Source, writes []*Write) ([]*Write, bool) {
	if src == nil || src.Kind != Field || !s.consults(fn) {
		return writes, src != nil && src.Kind == Field
	}
	plain := slices.DeleteFunc(slices.Clone(writes), func(w *Write) bool { return !s.unconditional(w) })
	if len(plain) > 0 {
		return plain, true
	}
	return writes, false
}

// tells reports whether a function's only result depends on the wish.
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
