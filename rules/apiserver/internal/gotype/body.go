package gotype

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// repeatedFields parses an object's body again, with every field of a map and
// not only the last of each name, since the server decodes all of them. It
// returns nil if there is no body or if the body is not JSON.
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

// move shifts the positions in a value, which count from the start of its text,
// to the position of the text.
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
