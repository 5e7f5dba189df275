package manifestlint

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Span is a range in an input. End is exclusive.
type Span struct{ Pos, End wire.Pos }

// SpanOf returns the span of a value. For a map or list, it is the span of the
// first character.
func SpanOf(v *wire.Value) Span {
	if v == nil {
		return Span{}
	}
	return Span{v.Pos, v.End}
}

// SpanOfField returns the span of a field's value. If the value is a map, a
// list or null, it is the span of the field's name.
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

// Locate returns the span of a field. path is in the server's notation, such as
// spec.containers[0].lifecycle. If the field does not exist, it is the span of
// the last field of the path that exists. If none exists, the span is empty.
func Locate(root *wire.Value, path string) Span {
	var at Span
	for v := root; path != "" && v != nil; {
		if rest, ok := strings.CutPrefix(path, "["); ok {
			index, after, _ := strings.Cut(rest, "]")
			path = strings.TrimPrefix(after, ".")
			if n, err := strconv.Atoi(index); err == nil && v.Kind == wire.List {
				if n < 0 || n >= len(v.Items) {
					return at
				}
				v = v.Items[n]
				at = SpanOf(v)
				continue
			}
			f := v.Field(index)
			if f == nil {
				return at
			}
			v, at = f.Value, SpanOfField(f)
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		f := v.Field(path[:end])
		if f == nil {
			return at
		}
		v, at = f.Value, SpanOfField(f)
		path = strings.TrimPrefix(path[end:], ".")
	}
	return at
}
