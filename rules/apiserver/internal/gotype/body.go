package gotype

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// repeatedFields parses the body of an object again and keeps all fields of a
// repeated name, as the server does. Object.Value has only the last. It returns
// nil if there is no body, or if the body is not JSON.
func repeatedFields(o Object) *wire.Value {
	if o.Body == nil {
		return nil
	}
	v, err := wire.JSONRepeated(o.Body)
	if err != nil || v.Kind != wire.Map {
		return nil
	}
	shiftPositions(v, o.Value.Pos)
	return v
}

// shiftPositions makes all positions in a value relative to the document. Before,
// they are relative to start, where the value's own text begins.
func shiftPositions(v *wire.Value, start wire.Pos) {
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
		shiftPositions(v.Fields[i].Value, start)
	}
	for _, item := range v.Items {
		shiftPositions(item, start)
	}
}
