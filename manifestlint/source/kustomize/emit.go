package kustomize

import (
	"errors"
	"slices"

	"sigs.k8s.io/kustomize/api/resource"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// emitter writes objects as resource.Resource.AsYAML does, from their trees.
// That writes a tree as YAML, reads it, writes it as JSON, reads that as YAML
// and writes it again, which is a third of the time of a build. What is not
// plain to write is left to the library: a word, or the whole object.
//
// The zero value is ready for use.
type emitter struct {
	out []byte
	// line is where the line begins that is being written.
	line int
	// around are the maps and lists around the value at hand.
	around []bool
	words  map[string]string
	// aside knows the schemas that were put aside; nil: there are none.
	aside *numbering
	// flow is set within a collection in brackets.
	flow   bool
	orders map[[2]string]bool
}

// errUnusual is for what the library shall write.
var errUnusual = errors.New("not plain to write")

// object writes an object.
func (e *emitter) object(r *resource.Resource) error {
	start := len(e.out)
	e.line, e.around, e.flow = start, e.around[:0], false
	if n := r.YNode(); n != nil && n.Kind == kyaml.MappingNode && len(n.Content) > 0 && e.mapping(n, 0) == nil {
		return nil
	}
	text, err := r.AsYAML()
	if err != nil {
		return err
	}
	e.out = append(e.out[:start], text...)
	return nil
}

// mapping writes a map that has something in it; the place for its first key
// is reached.
func (e *emitter) mapping(n *kyaml.Node, indent int) error {
	if len(n.Content)%2 != 0 {
		return errUnusual
	}
	flow, err := e.enter(n, "!!map")
	if err != nil {
		return err
	}
	order, err := e.keys(n)
	if err != nil {
		return err
	}
	e.around = append(e.around, true)
	for at, i := range order {
		if at > 0 {
			e.indent(indent)
		}
		if err := e.key(n.Content[i].Value); err != nil {
			return err
		}
		switch v := n.Content[i+1]; {
		case v.Kind == kyaml.MappingNode && len(v.Content) > 0:
			e.end()
			e.indent(indent + 2)
			err = e.mapping(v, indent+2)
		case v.Kind == kyaml.SequenceNode && len(v.Content) > 0:
			e.end()
			e.indent(indent)
			err = e.sequence(v, indent)
		default:
			err = e.leaf(v, n.Content[i].Value, indent)
		}
		if err != nil {
			return err
		}
	}
	e.around, e.flow = e.around[:len(e.around)-1], flow
	return nil
}

// maxAround is how deep objects are written here.
const maxAround = 1000

// sequence writes a list that has something in it; the place for its first
// dash is reached.
func (e *emitter) sequence(n *kyaml.Node, indent int) error {
	flow, err := e.enter(n, "!!seq")
	if err != nil {
		return err
	}
	e.around = append(e.around, false)
	for at, v := range n.Content {
		if at > 0 {
			e.indent(indent)
		}
		e.out = append(e.out, '-')
		switch {
		case v.Kind == kyaml.MappingNode && len(v.Content) > 0:
			e.out = append(e.out, ' ')
			err = e.mapping(v, indent+2)
		case v.Kind == kyaml.SequenceNode && len(v.Content) > 0:
			e.out = append(e.out, ' ')
			err = e.sequence(v, indent+2)
		default:
			err = e.leaf(v, "", indent)
		}
		if err != nil {
			return err
		}
	}
	e.around, e.flow = e.around[:len(e.around)-1], flow
	return nil
}

// enter looks at a collection that is going to be written, and gives the flow to
// return to.
func (e *emitter) enter(n *kyaml.Node, tag string) (flow bool, err error) {
	flow = e.flow
	if !plainTag(n, tag) || len(e.around) > maxAround {
		return flow, errUnusual
	}
	if n.Style&kyaml.FlowStyle != 0 && !flow {
		// The library makes an empty text of what is nothing at all in brackets.
		if blank(n) {
			return flow, errUnusual
		}
		e.flow = true
	}
	return flow, nil
}

// blank reports whether a value is nothing at all, or has such a one in it.
func blank(n *kyaml.Node) bool {
	return n.Kind == kyaml.ScalarNode && n.Value == "" && n.Style&quoted == 0 || slices.ContainsFunc(n.Content, blank)
}

// end ends a line.
func (e *emitter) end() {
	e.out = append(e.out, '\n')
	e.line = len(e.out)
}

func (e *emitter) indent(n int) {
	for ; n > len(spaces); n -= len(spaces) {
		e.out = append(e.out, spaces...)
	}
	e.out = append(e.out, spaces[:n]...)
}

const spaces = "                                "

// plainTag reports whether a collection is nothing but that.
func plainTag(n *kyaml.Node, tag string) bool {
	return (n.Tag == "" || n.Tag == tag) && n.Style&kyaml.TaggedStyle == 0 && n.Anchor == ""
}

// leaf writes a scalar or what is empty, and ends the line. The key is that of
// a value in a map.
func (e *emitter) leaf(n *kyaml.Node, key string, indent int) error {
	switch {
	case n.Kind == kyaml.MappingNode && plainTag(n, "!!map"):
		e.out = append(e.out, " {}"...)
	case n.Kind == kyaml.SequenceNode && plainTag(n, "!!seq"):
		e.out = append(e.out, " []"...)
	case e.aside != nil && n.Kind == kyaml.ScalarNode && key != "" && e.putBack(n, indent):
		return nil
	case n.Kind == kyaml.ScalarNode && n.Style&kyaml.TaggedStyle == 0 && n.Anchor == "":
		e.out = append(e.out, ' ')
		text, isText, err := scalar(n)
		switch {
		case err == nil && isText:
			err = e.text(text, key, indent)
		case err == nil:
			e.out = append(e.out, text...)
		}
		if err != nil {
			err = e.odd(n, key)
		}
		if err != nil {
			return err
		}
	default:
		return errUnusual
	}
	e.end()
	return nil
}

// putBack writes a schema in place of the word that stands for it.
func (e *emitter) putBack(n *kyaml.Node, indent int) bool {
	s, ok := e.aside.schemaOf(n.Value)
	if !ok {
		return false
	}
	text, err := s.text(indent + 2)
	if err != nil {
		return false
	}
	e.end()
	e.out = append(e.out, text...)
	e.line = len(e.out)
	return true
}
