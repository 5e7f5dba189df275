package gotype

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// repeatedFields reads an object's body again, with every field of a map and
// not only the last of each name, since the server decodes them all. It is nil
// if there is no body or it is no JSON.
func repeatedFields(o Object) *wire.Value {
	if o.Body == nil {
		return nil
	}
	v, err := wire.JSONRepeated(o.Body)
	if err != nil || v.Kind != wire.Map {
		return nil
	}
	move(v, o.Value.Pos)
	return v
}

// move shifts the places in a value, which count from the start of its text,
// to where the text starts.
func move(v *wire.Value, start wire.Pos) {
	shift := func(p *wire.Pos) {
		if p.Line == 1 {
			p.Column += start.Column - 1
		}
		p.Line += start.Line - 1
	}
	shift(&v.Pos)
	shift(&v.End)
	for i := range v.Fields {
		shift(&v.Fields[i].Pos)
		shift(&v.Fields[i].End)
		move(v.Fields[i].Value, start)
	}
	for _, item := range v.Items {
		move(item, start)
	}
}

// compact writes a value as kubectl sends it: sorted names, no white space, a
// line break at the end (UnstructuredJSONScheme of apimachinery).
func compact(root *wire.Value) []byte {
	var body []byte
	quote := func(s string) {
		text, _ := json.Marshal(s) // a string cannot fail
		body = append(body, text...)
	}
	var write func(v *wire.Value)
	write = func(v *wire.Value) {
		switch {
		case v.IsNull():
			body = append(body, "null"...)
		case v.Kind == wire.String:
			quote(v.Text)
		case v.Kind == wire.Map:
			fields := slices.Clone(v.Fields)
			slices.SortFunc(fields, func(a, b wire.Field) int { return strings.Compare(a.Name, b.Name) })
			body = append(body, '{')
			for i, f := range fields {
				if i > 0 {
					body = append(body, ',')
				}
				quote(f.Name)
				body = append(body, ':')
				write(f.Value)
			}
			body = append(body, '}')
		case v.Kind == wire.List:
			body = append(body, '[')
			for i, item := range v.Items {
				if i > 0 {
					body = append(body, ',')
				}
				write(item)
			}
			body = append(body, ']')
		default:
			body = append(body, v.Text...)
		}
	}
	write(root)
	return append(body, '\n')
}
