package manifestlint

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// Span is a piece of the source, End exclusive.
type Span struct{ Pos, End wire.Pos }

// SpanOf gives the span of a value; of a map or list it is its first
// character's.
func SpanOf(v *wire.Value) Span {
	if v == nil {
		return Span{}
	}
	return Span{v.Pos, v.End}
}

// SpanOfField gives the span of a field's scalar value, or of its name if the
// value is a map, a list or null.
func SpanOfField(f *wire.Field) Span {
	if f == nil {
		return Span{}
	}
	switch f.Value.Kind {
	case wire.Map, wire.List, wire.Null:
		return Span{f.Pos, f.End}
	}
	return SpanOf(f.Value)
}
