package helmchart

import (
	"reflect"
	"strings"
	"text/template/parse"
)

// ref is a value that an action uses, with its path in the chart's values.
type ref struct {
	path  []string
	value any
}

// refs returns the values that the pipe of an action used when it was executed.
// It leaves out values whose path is unknown.
func (r *recording) refs(n *node, p *piece) []ref {
	e := &evaluation{index: r.values, root: p.root}
	var all []ref
	add := func(o operand) {
		if o.hasPath && len(o.path) > 0 {
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

// operand is the value of an expression.
type operand struct {
	value    any
	hasValue bool // the value is known
	path     []string
	hasPath  bool // the value's path in the values is known
}

// evaluation evaluates expressions of a template after the rendering. It calls
// no template functions.
type evaluation struct {
	index *valuesIndex
	root  any // the value of $
	depth int
}

// operand evaluates an expression with the variables in scope. If dotKnown is
// true, the template's dot (.) is the argument dot. Otherwise it is the dot in
// scope.
func (e *evaluation) operand(n parse.Node, scope *binding, dot any, dotKnown bool) operand {
	if e.depth++; e.depth > 50 {
		return operand{}
	}
	defer func() { e.depth-- }()
	switch n := n.(type) {
	case *parse.DotNode:
		return e.dot(scope, dot, dotKnown)
	case *parse.FieldNode:
		return e.fields(e.dot(scope, dot, dotKnown), n.Ident)
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			return e.fields(e.withPath(e.root), n.Ident[1:])
		}
		for b := scope; b != nil; b = b.outer {
			if b.name == n.Ident[0] {
				return e.fields(e.variable(b, nil), n.Ident[1:])
			}
		}
	case *parse.ChainNode:
		return e.fields(e.operand(n.Node, scope, dot, dotKnown), n.Field)
	case *parse.PipeNode:
		// For the result of a function, the position of its argument is used.
		for _, c := range n.Cmds {
			for i, a := range c.Args {
				if _, isFunc := a.(*parse.IdentifierNode); isFunc && i == 0 {
					continue
				}
				if o := e.operand(a, scope, dot, dotKnown); o.hasPath {
					if len(c.Args) > 1 || len(n.Cmds) > 1 {
						o.hasValue = false
					}
					return o
				}
			}
		}
	}
	return operand{}
}

func (e *evaluation) dot(scope *binding, dot any, dotKnown bool) operand {
	var o operand
	if dotKnown {
		o = e.withPath(dot)
		if o.hasPath {
			return o
		}
	}
	for b := scope; b != nil; b = b.outer {
		if b.name == "." {
			if s := e.variable(b, dot); s.hasPath {
				if dotKnown {
					s.value, s.hasValue = dot, true
				}
				return s
			}
			return o
		}
	}
	if dotKnown {
		return o
	}
	return e.withPath(e.root)
}

// variable returns the value of a variable or of the dot. For a variable of a
// range, element is the list item of the current iteration; nil if unknown.
func (e *evaluation) variable(b *binding, element any) operand {
	if b.pipe == nil {
		return operand{}
	}
	o := e.operand(b.pipe, b.outer, nil, false)
	if !b.loop || !o.hasPath {
		return o
	}
	// The position in the list is known only if exactly one element has this
	// value.
	if list, ok := o.value.([]any); ok && element != nil {
		for i, v := range list {
			if reflect.DeepEqual(v, element) {
				return operand{value: v, hasValue: true, path: append(o.path[:len(o.path):len(o.path)], listIndex(i)), hasPath: true}
			}
		}
	}
	if table, ok := asMap(o.value); ok && element != nil {
		for k, v := range table {
			if reflect.DeepEqual(v, element) {
				return operand{value: v, hasValue: true, path: append(o.path[:len(o.path):len(o.path)], k), hasPath: true}
			}
		}
	}
	o.hasValue = false
	return o
}

// withPath returns the operand for a value, with the path if it is in the
// index.
func (e *evaluation) withPath(v any) operand {
	path, ok := e.index.path(v)
	return operand{value: v, hasValue: true, path: path, hasPath: ok}
}

// fields returns the operand for a chain of field names.
func (e *evaluation) fields(o operand, names []string) operand {
	for _, name := range names {
		if o.hasPath {
			o.path = append(o.path[:len(o.path):len(o.path)], name)
		}
		if !o.hasValue {
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
			o.path, o.hasPath = p, true
		}
	}
	return o
}

// mayBeIn reports whether a line of output can contain the value.
func (f *ref) mayBeIn(written string) bool {
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
