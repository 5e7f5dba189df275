package helmchart

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// Names of the functions that instrumented templates call: see recorder.
const (
	funcEnter = "kubevetEnter"
	funcLeave = "kubevetLeave"
	funcText  = "kubevetText"
	funcValue = "kubevetValue"
	funcSet   = "kubevetSet"
	funcStep  = "kubevetStep"
	funcCall  = "kubevetCall"
	funcDone  = "kubevetDone"
	funcNest  = "kubevetNest"
	funcRise  = "kubevetRise"
)

// argument is the variable that holds what a template is called with.
const argument = "$kubevetArgument"

// node is a place in a template that writes something: a text, or an action.
type node struct {
	template *templateFile
	// pos and end are byte offsets in the file: of the text, or of the action
	// with its braces.
	pos, end int
	// text is what a text node writes; pipe what an action evaluates.
	text string
	pipe *parse.PipeNode
	// scope are the variables that the action can see, and the dot.
	scope *binding
	// body is the number of the body, see program, that the node is in.
	body int
}

// templateFile is one template file.
type templateFile struct {
	// key is the template's name in the engine, file where it is from.
	key  string
	file *file
	text string
}

// binding says what a variable or the dot stands for within a part of a
// template. It is a list of all that are in force, the newest first.
type binding struct {
	name  string // "." for the dot
	pipe  *parse.PipeNode
	loop  bool // it is an element of the pipe's value, not the value
	outer *binding
}

// body is one template: a file's own text, or a define in it.
type body struct {
	name     string
	template *templateFile
	pos      int
}

// program are the templates of a chart, written such that executing them tells
// a recorder what they write, and writes the same.
type program struct {
	nodes  []node
	bodies []body
	// trees are the parsed templates: the files' own, and the defines of each.
	trees []*tree
}

// tree is a template file as it was parsed.
type tree struct {
	source *templateFile
	own    *parse.Tree
	all    map[string]*parse.Tree
}

// add parses a template file and gives the instrumented text. Texts are written
// by calls, too, so that no two pieces can run into each other.
func (p *program) add(s *templateFile, parsed *parsedFiles) (string, error) {
	own, all, err := parsed.parse(s)
	if err != nil {
		return "", err
	}
	p.trees = append(p.trees, &tree{s, own, all})
	w := writer{program: p, source: s}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name == s.key {
			continue
		}
		fmt.Fprintf(&w.out, "{{define %s}}", strconv.Quote(name))
		w.body(name, all[name])
		w.out.WriteString("{{end}}")
	}
	w.body(s.key, own)
	return w.out.String(), nil
}

// writer writes one template file.
type writer struct {
	*program
	source *templateFile
	out    strings.Builder
	now    int // the body
}

func (w *writer) body(name string, t *parse.Tree) {
	// An empty template does not replace one of the same name, so it stays
	// empty.
	if t == nil || t.Root == nil || parse.IsEmptyTree(t.Root) {
		return
	}
	w.now = len(w.bodies)
	w.bodies = append(w.bodies, body{name, w.source, int(t.Root.Pos)})
	fmt.Fprintf(&w.out, "{{%s %d $}}", funcEnter, w.now)
	w.list(t.Root, nil)
	fmt.Fprintf(&w.out, "{{%s %d}}", funcLeave, w.now)
}

// list writes the nodes of a list and gives the scope at its end.
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
		w.nodes = append(w.nodes, node{template: w.source, pos: int(n.Pos), end: int(n.Pos) + len(n.Text), text: string(n.Text), body: w.now})
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
		// What is evaluated for it is not written by it.
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
		bare := pipe.CopyPipe()
		bare.Decl = nil
		sign := ":="
		if pipe.IsAssign {
			sign = "="
		}
		fmt.Fprintf(&w.out, "{{%s %s %s (%s)}}", pipe.Decl[0], sign, funcSet, bare)
		return &binding{name: pipe.Decl[0].Ident[0], pipe: bare, outer: scope}
	}
	pos, end := w.braces(int(n.Pos))
	w.nodes = append(w.nodes, node{template: w.source, pos: pos, end: end, pipe: pipe, scope: scope, body: w.now})
	fmt.Fprintf(&w.out, "{{%s %d . $ (%s)}}", funcValue, len(w.nodes)-1, pipe)
	return scope
}

// braces finds the braces around an action of which one place is known.
func (w *writer) braces(at int) (pos, end int) {
	text := w.source.text
	at = min(at, len(text))
	if pos = strings.LastIndex(text[:at], "{{"); pos < 0 {
		pos = at
	}
	end = at
	// A string in the action may hold braces.
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
	bare := b.Pipe.CopyPipe()
	bare.Decl = nil
	for i, v := range b.Pipe.Decl {
		inner = &binding{name: v.Ident[0], pipe: bare, loop: word == "range", outer: inner}
		if word == "range" && i == 0 && len(b.Pipe.Decl) == 2 {
			inner.pipe = nil // the key
		}
	}
	if word != "if" {
		inner = &binding{name: ".", pipe: bare, loop: word == "range", outer: inner}
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
