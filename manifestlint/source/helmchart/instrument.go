package helmchart

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// These functions are called by instrumented templates. The type recorder
// implements them.
const (
	funcEnter  = "kubevetEnter"
	funcLeave  = "kubevetLeave"
	funcText   = "kubevetText"
	funcValue  = "kubevetValue"
	funcSet    = "kubevetSet"
	funcStep   = "kubevetStep"
	funcCall   = "kubevetCall"
	funcDone   = "kubevetDone"
	funcNest   = "kubevetNest"
	funcUnnest = "kubevetUnnest"
)

// argument is the variable for the argument of a template call.
const argument = "$kubevetArgument"

// node is a part of a template that writes output: a text or an action.
type node struct {
	template *templateFile
	// pos and end are byte offsets in the file. They include an action's braces.
	pos, end int
	// text is the text of a text node. pipe is the pipe of an action.
	text string
	pipe *parse.PipeNode
	// scope has the variables that the action can use, and the dot.
	scope *binding
	// body is the index in program.bodies of the template that contains the node.
	body int
}

type templateFile struct {
	// key is the engine's name for the template.
	key   string
	file  *file
	text  string
	lines textLines
}

func (t *templateFile) span(from, to int) location {
	return t.lines.span(t.file.place, t.text, from, to)
}

// binding is a variable, or the dot. It is the head of a list of all bindings
// in scope, the innermost first.
type binding struct {
	name  string // "." for the dot
	pipe  *parse.PipeNode
	loop  bool // variable of a range; its value is one element of the pipe's value
	outer *binding
}

// body is one {{define}}, or the rest of its file.
type body struct {
	name     string
	template *templateFile
	pos      int
}

// program has the instrumented templates of a chart. They write the same output
// as the original templates, and report each part to a recorder.
type program struct {
	nodes  []node
	bodies []body
	trees  []*tree
}

// tree is a parsed template file. main is the text outside of defines, and all
// has the defines.
type tree struct {
	source *templateFile
	main   *parse.Tree
	all    map[string]*parse.Tree
}

// add parses a template file and returns the instrumented text. It replaces
// texts by function calls too, so that adjacent parts stay separate.
func (p *program) add(s *templateFile, parsed *parseCache) (string, error) {
	main, all, err := parsed.parse(s)
	if err != nil {
		return "", err
	}
	p.trees = append(p.trees, &tree{s, main, all})
	w := writer{program: p, source: s}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name == s.key {
			continue
		}
		fmt.Fprintf(&w.out, "{{define %s}}", strconv.Quote(name))
		w.body(name, all[name])
		w.out.WriteString("{{end}}")
	}
	w.body(s.key, main)
	return w.out.String(), nil
}

type writer struct {
	*program
	source    *templateFile
	out       strings.Builder
	bodyIndex int // index of the body that is written
}

func (w *writer) body(name string, t *parse.Tree) {
	// In Go templates, an empty define does not replace an earlier define of the
	// same name. An instrumented body would not be empty.
	if t == nil || t.Root == nil || parse.IsEmptyTree(t.Root) {
		return
	}
	w.bodyIndex = len(w.bodies)
	w.bodies = append(w.bodies, body{name, w.source, int(t.Root.Pos)})
	fmt.Fprintf(&w.out, "{{%s %d $}}", funcEnter, w.bodyIndex)
	w.list(t.Root, nil)
	fmt.Fprintf(&w.out, "{{%s %d}}", funcLeave, w.bodyIndex)
}

// list writes the nodes of a list. It returns the variables in scope after the
// last node.
func (w *writer) list(l *parse.ListNode, scope *binding) *binding {
	if l == nil {
		return scope
	}
	for _, n := range l.Nodes {
		scope = w.node(n, scope)
	}
	return scope
}

func (w *writer) node(n parse.Node, scope *binding) *binding {
	switch n := n.(type) {
	case *parse.TextNode:
		w.nodes = append(w.nodes, node{template: w.source, pos: int(n.Pos), end: int(n.Pos) + len(n.Text), text: string(n.Text), body: w.bodyIndex})
		fmt.Fprintf(&w.out, "{{%s %d}}", funcText, len(w.nodes)-1)
	case *parse.ActionNode:
		return w.action(n, scope)
	case *parse.IfNode:
		w.branch("if", &n.BranchNode, scope)
	case *parse.WithNode:
		w.branch("with", &n.BranchNode, scope)
	case *parse.RangeNode:
		w.branch("range", &n.BranchNode, scope)
	case *parse.TemplateNode:
		// {{template "x" arg}} writes the output of x, but not its argument. The
		// argument is evaluated first.
		with := ""
		if n.Pipe != nil {
			with = " " + argument
			fmt.Fprintf(&w.out, "{{%s := %s}}", argument, n.Pipe)
		}
		fmt.Fprintf(&w.out, "{{%s}}{{template %s%s}}{{%s}}", funcCall, strconv.Quote(n.Name), with, funcDone)
	default: // break, continue, comments
		w.out.WriteString(n.String())
	}
	return scope
}

func (w *writer) action(n *parse.ActionNode, scope *binding) *binding {
	pipe := n.Pipe
	if len(pipe.Decl) > 0 {
		withoutDecl := pipe.CopyPipe()
		withoutDecl.Decl = nil
		sign := ":="
		if pipe.IsAssign {
			sign = "="
		}
		fmt.Fprintf(&w.out, "{{%s %s %s (%s)}}", pipe.Decl[0], sign, funcSet, withoutDecl)
		return &binding{name: pipe.Decl[0].Ident[0], pipe: withoutDecl, outer: scope}
	}
	pos, end := w.braces(int(n.Pos))
	w.nodes = append(w.nodes, node{template: w.source, pos: pos, end: end, pipe: pipe, scope: scope, body: w.bodyIndex})
	fmt.Fprintf(&w.out, "{{%s %d . $ (%s)}}", funcValue, len(w.nodes)-1, pipe)
	return scope
}

// braces returns the offsets of the braces around an action. at is any offset
// in the action.
func (w *writer) braces(at int) (pos, end int) {
	text := w.source.text
	at = min(at, len(text))
	if pos = strings.LastIndex(text[:at], "{{"); pos < 0 {
		pos = at
	}
	end = at
	// A string in the action may contain braces.
	for quote := byte(0); end < len(text); end++ {
		switch c := text[end]; {
		case quote != 0 && c == '\\' && quote != '`':
			end++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '`' || c == '\'':
			quote = c
		case c == '}' && strings.HasPrefix(text[end:], "}}"):
			return pos, end + 2
		}
	}
	return pos, min(end, len(text))
}

func (w *writer) branch(word string, b *parse.BranchNode, scope *binding) {
	fmt.Fprintf(&w.out, "{{%s %s}}", word, b.Pipe)
	inner := scope
	withoutDecl := b.Pipe.CopyPipe()
	withoutDecl.Decl = nil
	for i, v := range b.Pipe.Decl {
		inner = &binding{name: v.Ident[0], pipe: withoutDecl, loop: word == "range", outer: inner}
		if word == "range" && i == 0 && len(b.Pipe.Decl) == 2 {
			inner.pipe = nil // the first variable is the key or index
		}
	}
	if word != "if" {
		inner = &binding{name: ".", pipe: withoutDecl, loop: word == "range", outer: inner}
	}
	if word == "range" {
		fmt.Fprintf(&w.out, "{{%s}}", funcStep)
	}
	w.list(b.List, inner)
	if b.ElseList != nil {
		w.out.WriteString("{{else}}")
		w.list(b.ElseList, scope)
	}
	w.out.WriteString("{{end}}")
}
