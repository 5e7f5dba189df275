package dryrun

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// buildsWriter is the fact about a function of an internal package that builds a value
// whose methods write even in a dry run. Its own package never calls the function, so
// perhaps only tests do.
type buildsWriter struct {
	// Type is the name of the type. Source is the name of the source that its methods
	// ignore.
	Type, Source string
	// Text is Write.Text of the first write, and Place is its file and line.
	Text, Place string
	// More is the number of other writes.
	More int
}

// AFact marks buildsWriter as a fact.
func (*buildsWriter) AFact() {}

// String returns the text of the fact in tests.
func (b *buildsWriter) String() string { return fmt.Sprintf("builds %s: %s", b.Type, b.Text) }

// BuiltWriter is a call that builds a value whose methods write even in a dry run.
type BuiltWriter struct {
	Pos token.Pos
	// Type is the type of the value. Source is the dry run that its methods ignore.
	Type, Source string
	// Text says what the first method does, such as "deletes a Pod". Place is the file and
	// the line of that write. More is the number of other writes.
	Text, Place string
	More        int
}

// BuiltWriters returns the calls of functions of other packages that build a value
// whose methods write even in a dry run. The author may not have meant the dry run for
// these methods.
func (r *Result) BuiltWriters() []*BuiltWriter {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state
	if s.analyzed == nil && s.names.builders {
		s.need() // the program itself may write nothing
	}
	var got []*BuiltWriter
	for _, fn := range s.funcs {
		if s.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				var fact buildsWriter
				obj := calleeObject(call.Common())
				if obj == nil || obj.Pkg() == s.pass.Pkg || !s.vars.isLocal(obj.Pkg()) || !s.pass.ImportObjectFact(obj.Origin(), &fact) || s.reach(call, Client) == Guarded {
					continue
				}
				got = append(got, &BuiltWriter{Pos: call.Pos(), Type: fact.Type, Source: fact.Source, Text: fact.Text, Place: fact.Place, More: fact.More})
			}
		}
	}
	slices.SortFunc(got, func(a, b *BuiltWriter) int { return int(a.Pos) - int(b.Pos) })
	return got
}

// exportBuilders exports facts about the functions that build types whose methods write
// even in a dry run.
func (s *state) exportBuilders() {
	s.findings()
	for _, f := range s.withheld {
		at := s.pass.Fset.Position(f.Write.Pos)
		for _, builder := range s.builders(f.Informed) {
			var fact buildsWriter
			if s.pass.ImportObjectFact(builder, &fact) {
				fact.More++
			} else {
				fact = buildsWriter{Type: receiverType(f.Informed).Obj().Name(), Source: f.Source.Name(), Text: f.Write.Text, Place: fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)}
			}
			s.pass.ExportObjectFact(builder, &fact)
		}
	}
}

// builders returns the exported functions that build the type of a method's receiver.
// It ignores tests. It returns nil in these cases:
//
//   - The package also builds the type in other functions, or calls one of the exported
//     functions itself.
//   - The package is not internal, so programs of other modules may build the type.
func (s *state) builders(method *ssa.Function) []*types.Func {
	n := receiverType(method)
	if n == nil || !slices.Contains(strings.Split(s.pass.Pkg.Path(), "/"), "internal") {
		return nil
	}
	var got []*types.Func
	for _, fn := range s.funcs {
		if s.inTest(fn) || !builds(fn, n) {
			continue
		}
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || fn.Signature.Recv() != nil || !exported(fn) || s.escaping[fn] || s.code.Mentions(obj) ||
			slices.ContainsFunc(s.sites[fn], func(at site) bool { return !s.inTest(at.caller) }) {
			return nil
		}
		got = append(got, obj)
	}
	return got
}

// builds reports whether fn declares a variable of a type, or contains a literal of it.
func builds(fn *ssa.Function, n *types.Named) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			a, ok := instr.(*ssa.Alloc)
			return ok && types.Identical(a.Type().(*types.Pointer).Elem(), n)
		})
	})
}

// receiverType returns the type of the receiver of a method, or of the method around a
// literal. It returns nil for functions.
func receiverType(fn *ssa.Function) *types.Named {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Signature.Recv() == nil {
		return nil
	}
	return namedOf(fn.Signature.Recv().Type())
}
