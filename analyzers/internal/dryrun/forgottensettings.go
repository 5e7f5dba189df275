package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// findForgotten finds the fields for a dry run in the settings that the package loads, if
// neither the package nor its imports read the field.
func (s *state) findForgotten() {
	s.forgotten = map[*types.Var]string{}
	if s.settings == nil || s.settings.ByName {
		return
	}
	for _, fn := range s.funcs {
		if s.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok {
					if n, f := s.loads(call); f != nil {
						s.forgotten[f] = n.Obj().Name() + "." + f.Name()
					}
				}
			}
		}
	}
}

// loads returns the type of the settings that a call loads, and the field for a dry run in
// them. It returns nil if any code may read the field, and for other calls.
func (s *state) loads(call *ssa.Call) (*types.Named, *types.Var) {
	if s.settings == nil || s.settings.ByName {
		return nil, nil
	}
	if n := s.settingsFrom(call); n != nil {
		if f := s.vars.settingOf(n); s.isForgotten(n, f) {
			return n, f
		}
	}
	return nil, nil
}

// settingsFrom returns the type of the settings that a call loads: it returns them, decodes
// them, or adds flags for them. Unless a flag is bound to the dry run in the settings, it
// guesses from the name of the called function.
func (s *state) settingsFrom(call *ssa.Call) *types.Named {
	obj := calleeObject(call.Common())
	if obj == nil {
		return nil
	}
	if obj.Signature().Recv() == nil && !hasPart(obj.Name(), "default") {
		loads := hasPart(obj.Name(), "load", "parse", "read", "env", "config", "setting", "decode", "flag")
		for r := range call.Common().Signature().Results().Variables() {
			if n := s.settingsType(r.Type()); n != nil && (loads || s.vars.describe(s.vars.settingOf(n)).bound) {
				return n
			}
		}
	}
	if s.pass.Pkg.Name() == "main" {
		// Another function has loaded the settings, perhaps as a part of other settings.
		for _, a := range call.Call.Args {
			if n := s.settingsType(a.Type()); n != nil && s.settings.sets(n, s.vars.settingOf(n)) {
				return n
			}
		}
	}
	adds := obj.Pkg() != s.pass.Pkg && s.pass.ImportObjectFact(obj.Origin(), &flagAdder{})
	if !adds && !decodes(obj.Name()) {
		return nil
	}
	for _, a := range call.Call.Args {
		if made, ok := a.(*ssa.MakeInterface); ok {
			a = made.X
		} else if !adds {
			continue
		}
		if n := s.settingsType(a.Type()); n != nil {
			return n
		}
	}
	return nil
}

// settingsType returns the type of settings with a dry run that t is, or to which t points.
// It returns nil for other types.
func (s *state) settingsType(t types.Type) *types.Named {
	n := namedOf(t)
	if n == nil || !s.vars.isLocal(n.Obj().Pkg()) || s.vars.settingOf(n) == nil {
		return nil
	}
	return n
}

// isForgotten reports whether no code reads a field of settings. If several other fields
// are not read either, other programs may share the settings, and the result is false.
func (s *state) isForgotten(n *types.Named, f *types.Var) bool {
	if s.settings.reads(n, f) || s.code.Mentions(f) || s.code.Unparsed() {
		return false
	}
	others, unread := 0, 0
	for other := range n.Underlying().(*types.Struct).Fields() {
		if other == f || other.Embedded() {
			continue
		}
		if others++; !s.settings.reads(n, other) {
			unread++
		}
	}
	return 4*unread <= others
}

func (r *settingReads) sets(n *types.Named, f *types.Var) bool {
	_, found := slices.BinarySearch(r.Set, settingName(n, f))
	return found
}

func (r *settingReads) reads(n *types.Named, f *types.Var) bool {
	_, found := slices.BinarySearch(r.Fields, settingName(n, f))
	return found
}
