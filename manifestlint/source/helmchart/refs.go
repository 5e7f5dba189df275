package helmchart

import (
	"reflect"
	"strings"
	"text/template/parse"
)

// ref is a value that an action uses, with its path in the chart's values.
type ref struct {
	path  []string // in the chart's values
	value any
}

// refs returns the values that the pipe of an action used when it was executed.
// It leaves out values whose path is unknown.
func (r *recording) refs(n *node, p *piece) []ref {
	e := &evaluation{index: r.values, root: p.root}
	var all []ref
	add := func(o operand) {
		if o.known && len(o.path) > 0 {
			all = append(all, ref{o.path, o.value})
		}
	}
	var walk func(parse.Node)
	walk = func(arg parse.Node) {
		switch arg := arg.(type) {
		case *parse.PipeNode:
			for _, c := range arg.Cmds {
				for _, a := range c.Args {
					walk(a)
				}
			}
		case *parse.DotNode, *parse.FieldNode, *parse.VariableNode:
			add(e.operand(arg, n.scope, p.dot, true))
		case *parse.ChainNode:
			add(e.operand(arg, n.scope, p.dot, true))
			walk(arg.Node)
		}
	}
	walk(n.pipe)
	return all
}

// operand is the value of an expression, computed after the rendering.
type operand struct {
	value any
	found bool // the value is known
	path  []string
	known bool // path is the value's path in the values
}

// evaluation evaluates expressions after a rendering. It calls no template
// functions.
type evaluation struct {
	index *valuesIndex
	root  any // the value of $
	depth int
}

// operand evaluates an expression with the variables in scope. If here is true,
// the template's dot (.) has the value dot. Otherwise the value of the
// template's dot comes from scope.
func (e *evaluation) operand(n parse.Node, scope *binding, dot any, here bool) operand {
	if e.depth++; e.depth > 50 {
		return operand{}
	}
	defer func() { e.depth-- }()
	switch n := n.(type) {
	case *parse.DotNode:
		return e.dot(scope, dot, here)
	case *parse.FieldNode:
		return e.fields(e.dot(scope, dot, here), n.Ident)
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			return e.fields(e.known(e.root), n.Ident[1:])
		}
		for b := scope; b != nil; b = b.outer {
			if b.name == n.Ident[0] {
				return e.fields(e.bound(b, nil), n.Ident[1:])
			}
		}
	case *parse.ChainNode:
		return e.fields(e.operand(n.Node, scope, dot, here), n.Field)
	case *parse.PipeNode:
		// For the result of a function, the position of its argument is used.
		for _, c := range n.Cmds {
			for i, a := range c.Args {
				if _, isFunc := a.(*parse.IdentifierNode); isFunc && i == 0 {
					continue
				}
				if o := e.operand(a, scope, dot, here); o.known {
					if len(c.Args) > 1 || len(n.Cmds) > 1 {
						o.found = false
					}
					return o
				}
			}
		}
	}
	return operand{}
}

// dot returns the value of the dot.
func (e *evaluation) dot(scope *binding, dot any, here bool) operand {
	var o operand
	if here {
		o = e.known(dot)
		if o.known {
			return o
		}
	}
	for b := scope; b != nil; b = b.outer {
		if b.name == "." {
			if s := e.bound(b, dot); s.known {
				if here {
					s.value, s.found = dot, true
				}
				return s
			}
			return o
		}
	}
	if here {
		return o
	}
	return e.known(e.root)
}

// bound returns the value of a variable or of the dot. If the binding is from a
// range, element is the value of the list's element; nil if unknown.
func (e *evaluation) bound(b *binding, element any) operand {
	if b.pipe == nil {
		return operand{}
	}
	o := e.operand(b.pipe, b.outer, nil, false)
	if !b.loop || !o.known {
		return o
	}
	// The position in the list is known only if exactly one element has this
	// value.
	if list, ok := o.value.([]any); ok && element != nil {
		for i, v := range list {
			if reflect.DeepEqual(v, element) {
				return operand{value: v, found: true, path: append(o.path[:len(o.path):len(o.path)], index(i)), known: true}
			}
		}
	}
	if table, ok := asMap(o.value); ok && element != nil {
		for k, v := range table {
			if reflect.DeepEqual(v, element) {
				return operand{value: v, found: true, path: append(o.path[:len(o.path):len(o.path)], k), known: true}
			}
		}
	}
	o.found = false
	return o
}

// known returns the operand for a value, with the path if it is in the index.
func (e *evaluation) known(v any) operand {
	path, ok := e.index.path(v)
	return operand{value: v, found: true, path: path, known: ok}
}

// fields returns the operand for a chain of field names.
func (e *evaluation) fields(o operand, names []string) operand {
	for _, name := range names {
		if o.known {
			o.path = append(o.path[:len(o.path):len(o.path)], name)
		}
		if !o.found {
			continue
		}
		table, ok := asMap(o.value)
		if !ok {
			return operand{}
		}
		v, has := table[name]
		if !has {
			return operand{}
		}
		o.value = v
		if p, ok := e.index.path(v); ok {
			o.path, o.known = p, true
		}
	}
	return o
}

// fits reports whether a line of output can contain the value.
func (f *ref) fits(written string) bool {
	if f.value == nil {
		return false
	}
	if _, ok := asMap(f.value); ok {
		return true
	}
	if _, ok := f.value.([]any); ok {
		return true
	}
	text := strings.TrimSpace(scalar(f.value))
	// A value that is itself a template has another text in the output.
	return text != "" && (strings.Contains(written, text) || strings.Contains(text, "{{"))
}
