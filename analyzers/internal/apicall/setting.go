package apicall

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// outcome is the state of a setting while it is being computed: a Setting, or nothing
// for a path that only leads back into a loop.
type outcome struct {
	Setting
	nothing bool
}

var (
	none    = outcome{nothing: true}
	unknown = outcome{}
	unset   = outcome{Setting: Setting{State: Unset}}
)

// join is the outcome where two paths meet.
func join(a, b outcome) outcome {
	switch {
	case a.nothing:
		return b
	case b.nothing:
		return a
	case a.State == Unknown || b.State == Unknown:
		return unknown
	case a.State == Unset && b.State == Unset:
		return a
	case a.State == Unset:
		b.Sometimes = true
		return b
	case b.State == Unset:
		a.Sometimes = true
		return a
	}
	out := a
	out.Sometimes = a.Sometimes || b.Sometimes
	if a.State != b.State {
		// One path sets a value, the other passes the caller's.
		out.State, out.Sometimes = Passed, true
	}
	if !sameConstant(a.Constant, b.Constant) {
		out.Constant = nil
	}
	if !slices.Equal(a.Elements, b.Elements) || a.Complete != b.Complete {
		out.Elements, out.Complete = nil, false
	}
	if out.Value == nil {
		out.Value = b.Value
	}
	if a.SSA != b.SSA {
		out.SSA = nil
	}
	out.Param, out.Field = either(a.Param, b.Param), either(a.Field, b.Field)
	return out
}

// either is the variable on which two paths agree, or the only one.
func either(a, b *types.Var) *types.Var {
	switch {
	case a == nil:
		return b
	case b == nil || a == b:
		return a
	}
	return nil
}

func sameConstant(a, b constant.Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind() == b.Kind() && constant.Compare(a, token.EQL, b)
}

// override is the outcome after an option with the setting later has been applied to
// options with the setting earlier.
func override(earlier, later outcome) outcome {
	switch {
	case later.nothing || earlier.nothing && later.State == Unset:
		return earlier
	case later.State == Unset:
		return earlier
	case earlier.nothing || earlier.State == Unset:
		return later
	case later.State == Set && !later.Sometimes:
		return later
	case earlier.State == Set && !earlier.Sometimes:
		// There is a value whatever the later option does, but it is not known which
		// one.
		earlier.Constant, earlier.Elements, earlier.Complete = nil, nil, false
		earlier.SSA = nil
		earlier.Param, earlier.Field = either(earlier.Param, later.Param), either(earlier.Field, later.Field)
		return earlier
	}
	return join(earlier, later)
}

// kind is one of the four settings, with the name of the field that holds it
// in option structs.
type kind string

const (
	managerKind    kind = "FieldManager"
	forceKind      kind = "Force"
	dryRunKind     kind = "DryRun"
	validationKind kind = "FieldValidation"
)

// fieldIndex finds the field of a setting in an option struct.
func (k kind) fieldIndex(t types.Type) (int, bool) { return indexOf(t, string(k)) }

// indexOf finds a field by name in a struct or a pointer to one.
func indexOf(t types.Type, name string) (int, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return 0, false
	}
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return i, true
		}
	}
	return 0, false
}

// fieldType is the type of a field of a struct or of a pointer to one.
func fieldType(t types.Type, index int) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct).Field(index).Type()
}
