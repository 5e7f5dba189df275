package apicall

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// outcome is a setting during the analysis.
type outcome struct {
	Setting
	// noValue is set for a path that only returns to its own start in a loop, and so
	// has no value.
	noValue bool
}

var (
	none    = outcome{noValue: true}
	unknown = outcome{}
	unset   = outcome{Setting: Setting{State: Unset}}
)

// join returns the outcome where two paths with the outcomes a and b meet.
func join(a, b outcome) outcome {
	switch {
	case a.noValue:
		return b
	case b.noValue:
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
		// One path sets a value, and the other path passes on the caller's value.
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
	out.Param, out.Field = commonVar(a.Param, b.Param), commonVar(a.Field, b.Field)
	return out
}

// commonVar returns the variable of two joined paths: a and b may be nil, and the
// result is the one that is not nil. It is nil if a and b are two different variables.
func commonVar(a, b *types.Var) *types.Var {
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

// override returns the setting after two options, where the option later follows the
// option earlier.
func override(earlier, later outcome) outcome {
	switch {
	case later.noValue || earlier.noValue && later.State == Unset:
		return earlier
	case later.State == Unset:
		return earlier
	case earlier.noValue || earlier.State == Unset:
		return later
	case later.State == Set && !later.Sometimes:
		return later
	case earlier.State == Set && !earlier.Sometimes:
		// One of the two options sets the value, but it is not known which one.
		earlier.Constant, earlier.Elements, earlier.Complete = nil, nil, false
		earlier.SSA = nil
		earlier.Param, earlier.Field = commonVar(earlier.Param, later.Param), commonVar(earlier.Field, later.Field)
		return earlier
	}
	return join(earlier, later)
}

// kind is one of the four settings, or agentKind. For the four settings, it is the name
// of the field in option structs.
type kind string

const (
	managerKind    kind = "FieldManager"
	forceKind      kind = "Force"
	dryRunKind     kind = "DryRun"
	validationKind kind = "FieldValidation"
)

// fieldIndex returns the index of the setting's field in an option struct.
func (k kind) fieldIndex(t types.Type) (int, bool) { return indexOf(t, string(k)) }

// indexOf returns the index of a field in a struct, or in the struct that a pointer points
// to.
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

// fieldType returns the type of a field in a struct, or in the struct that a pointer points
// to.
func fieldType(t types.Type, index int) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct).Field(index).Type()
}
