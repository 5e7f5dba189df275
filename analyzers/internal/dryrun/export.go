package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// writer is the fact about a function that writes during a dry run.
type writer struct {
	// Text is Write.Text of its writes: of the first, and of others to the same object.
	// Depth is the number of calls between the function and the first write.
	Text  string
	Depth int
	// IgnoresOptions is true if the function gets the dry run in its options and does
	// not respect it: the function never checks the dry run, or a write does not depend
	// on the check. It is false if the writes may depend on a check in a way that is
	// not analyzed.
	IgnoresOptions bool
	// Object is the parameter with the written object, if Text names no kind. The first
	// parameter or the receiver has number 1, and 0 means that it is not known.
	Object int
}

// AFact marks writer as a fact.
func (*writer) AFact() {}

// String returns the text of the fact in tests.
func (w *writer) String() string {
	if w.IgnoresOptions {
		return "writes heedlessly: " + w.Text
	}
	return "writes: " + w.Text
}

// export exports the facts about the functions of the package.
func (s *state) export() {
	for _, fn := range s.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || obj.Pkg() != s.pass.Pkg || !obj.Exported() || s.inTest(fn) {
			continue
		}
		if value, ok := s.reportsDryRun(fn); ok {
			s.pass.ExportObjectFact(obj, &predicate{Value: value})
		}
		if s.hasSources && s.checks(fn) {
			s.pass.ExportObjectFact(obj, &checksDryRun{Branches: s.buildsByDryRun(fn, 0)})
		}
		s.exportWriter(fn, obj)
		s.exportRespectsParam(fn, obj)
		s.exportBuiltClient(fn, obj)
	}
	s.exportMethods()
	s.exportConversions()
	s.exportIgnoring()
	s.exportBuilders()
}

// exportMethods exports facts about the methods of an interface, if exactly one type of
// the package implements the interface.
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

// onlyImplementation returns the method of the only type of the package that implements
// an interface. It ignores tests. It returns nil if no type implements the interface,
// or several do.
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
	src, must := s.nearest(fn, nil)
	if must && src.Kind == Field && !s.mustRespectField(src, fn) {
		must = false
	}
	// The writes of a function that reads the dry run itself are reported in its package.
	if !must && s.exportWrites(fn, obj, src) || must && src.Kind != Field {
		return
	}
	indirect, ignores := s.unguarded(fn, src, s.interfaceCalls(fn, Client))
	s.exportInterfaceCalls(obj, indirect, ignores)
}

// exportWrites exports a fact about the writes of a function. It reports whether the
// function has writes.
func (s *state) exportWrites(fn *ssa.Function, obj *types.Func, src *Source) bool {
	writes, ignores := s.unguarded(fn, src, s.writes(fn, Client))
	s.exportReconcileWrites(obj, writes)
	writes = slices.DeleteFunc(slices.Clone(writes), func(w *Write) bool { return w.distance() > maxDistance })
	texts, object := s.withKinds(fn, writes)
	if len(texts) > 0 && !(ignores && s.hasFindings(fn, src)) {
		s.pass.ExportObjectFact(obj, &writer{Text: together(texts), Depth: writes[0].distance(), IgnoresOptions: ignores, Object: object})
	}
	return len(texts) > 0
}

// hasFindings reports whether the package already reports the writes of fn that ignore
// the dry run.
func (s *state) hasFindings(fn *ssa.Function, src *Source) bool {
	return src != nil && !s.mustRespectField(src, fn) && s.handlesDryRun(src, fn)
}

// unguarded returns those writes of fn that happen even if the options of fn ask for a
// dry run, and found is true. If there are none, it returns all writes, and found is
// false.
func (s *state) unguarded(fn *ssa.Function, src *Source, writes []*Write) (_ []*Write, found bool) {
	if src == nil || src.Kind != Field || !s.checks(fn) {
		return writes, src != nil && src.Kind == Field
	}
	plain := slices.DeleteFunc(slices.Clone(writes), func(w *Write) bool { return !s.unconditional(w) })
	if len(plain) > 0 {
		return plain, true
	}
	return writes, false
}

// reportsDryRun reports in ok whether the first result of a function is a boolean that
// depends on the dry run. value is that result during a dry run.
func (s *state) reportsDryRun(fn *ssa.Function) (value, ok bool) {
	if !s.hasSources {
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
