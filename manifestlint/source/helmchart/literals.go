package helmchart

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template/parse"
)

// condition is an action around a literal, such as an if, together with the arm
// of the action (if or else) that contains the literal.
type condition struct {
	branch *parse.BranchNode
	other  bool // the else arm
	scope  *binding
	outer  *condition
}

// literal is a value that a template contains literally.
type literal struct {
	text string
	file *templateFile
	pos  int // offset of the text in the file
	node int // offset of the template node that contains the text
	when *condition
}

// sketch has the apiVersions and kinds that were found for one object so far.
type sketch struct {
	b        *branches
	file     *templateFile
	versions []literal
	kinds    []literal
	// pending is the key before a value that was not read yet. fresh is true at
	// the beginning of a line.
	pending string
	fresh   bool
	// tail is the key of the literal that was read last, if the next node may
	// continue its value.
	tail  string
	depth int
}

func (b *branches) document(d *define) {
	if d.tree == nil || d.tree.Root == nil {
		return
	}
	s := &sketch{b: b, file: d.file, fresh: true}
	s.list(d.tree.Root, nil, nil)
	s.close()
}

func (s *sketch) list(l *parse.ListNode, when *condition, scope *binding) *binding {
	if l == nil {
		return scope
	}
	for _, n := range l.Nodes {
		if s.b.steps++; s.b.steps > maxSketched {
			return scope
		}
		switch n := n.(type) {
		case *parse.TextNode:
			s.text(n, when)
		case *parse.ActionNode:
			if len(n.Pipe.Decl) > 0 {
				bare := n.Pipe.CopyPipe()
				bare.Decl = nil
				scope = &binding{name: n.Pipe.Decl[0].Ident[0], pipe: bare, outer: scope}
				continue
			}
			s.drop()
			s.action(n, when, scope)
		case *parse.TemplateNode:
			s.drop()
			s.fresh, s.pending = false, ""
		case *parse.IfNode:
			s.branch(&n.BranchNode, when, scope)
		case *parse.WithNode:
			s.branch(&n.BranchNode, when, scope)
		case *parse.RangeNode:
			s.branch(&n.BranchNode, when, scope)
		default:
			s.fresh, s.pending = false, ""
		}
	}
	return scope
}

// branch visits both arms of a branch. Both arms start with the same values of
// s.pending and s.fresh.
func (s *sketch) branch(n *parse.BranchNode, when *condition, scope *binding) {
	pending, fresh := s.pending, s.fresh
	s.list(n.List, &condition{branch: n, scope: scope, outer: when}, scope)
	if n.ElseList != nil {
		s.pending, s.fresh = pending, fresh
		s.list(n.ElseList, &condition{branch: n, other: true, scope: scope, outer: when}, scope)
	}
}

// text searches a text for apiVersion and kind.
func (s *sketch) text(n *parse.TextNode, when *condition) {
	at := 0
	for line := range strings.SplitAfterSeq(string(n.Text), "\n") {
		if line != "" {
			s.tail = ""
		}
		s.line(n, strings.TrimRight(line, "\r\n"), at, when)
		if strings.HasSuffix(line, "\n") {
			s.fresh, s.pending, s.tail = true, "", ""
		} else if line != "" {
			s.fresh = false
		}
		at += len(line)
	}
}

func (s *sketch) line(n *parse.TextNode, line string, at int, when *condition) {
	add := func(key, value string, from int) {
		value, from = unquote(value, from)
		if value == "" {
			s.pending = key
			return
		}
		if s.add(key, literal{text: value, file: s.file, pos: int(n.Pos) + at + from, node: int(n.Pos), when: when}) {
			s.tail = key
		}
	}
	if s.pending != "" && strings.TrimSpace(line) != "" {
		key := s.pending
		s.pending = ""
		add(key, line, 0)
		return
	}
	if !s.fresh {
		return
	}
	if line == "---" || strings.HasPrefix(line, "--- ") {
		s.close()
		return
	}
	for _, key := range []string{"apiVersion", "kind"} {
		if rest, ok := strings.CutPrefix(line, key+":"); ok {
			add(key, rest, len(key)+1)
		}
	}
}

// unquote returns the value in the text and the offset of the value. from is
// the offset of the text. Only plain and quoted values are supported.
func unquote(text string, from int) (string, int) {
	trimmed := strings.TrimLeft(text, " \t")
	from += len(text) - len(trimmed)
	trimmed, _, _ = strings.Cut(trimmed, " #")
	trimmed = strings.TrimRight(trimmed, " \t")
	if n := len(trimmed); n >= 2 && (trimmed[0] == '"' || trimmed[0] == '\'') && trimmed[n-1] == trimmed[0] {
		trimmed, from = trimmed[1:n-1], from+1
	}
	if strings.ContainsAny(trimmed, " \"'{}") {
		return "", from
	}
	return trimmed, from
}

// add adds a literal to the object. It returns false if the text does not look
// like an apiVersion or a kind.
func (s *sketch) add(key string, l literal) bool {
	list, form := &s.versions, versionForm
	if key == "kind" {
		list, form = &s.kinds, kindForm
	}
	if !form().MatchString(l.text) {
		return false // such as a part of a name
	}
	// A second value in the same branch begins another object.
	if slices.ContainsFunc(*list, func(had literal) bool { return had.when == l.when && had.file == l.file }) {
		s.close()
	}
	if len(*list) >= maxAlternatives {
		return false
	}
	*list = append(*list, l)
	return true
}

// versionForm and kindForm match an apiVersion and a kind.
var (
	versionForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z0-9.-]+/)?v[0-9]+((alpha|beta)[0-9]+)?$`) })
	kindForm    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`) })
)

// drop removes the last literal, because a template action continues its value.
func (s *sketch) drop() {
	switch {
	case s.tail == "apiVersion" && len(s.versions) > 0:
		s.versions = s.versions[:len(s.versions)-1]
	case s.tail == "kind" && len(s.kinds) > 0:
		s.kinds = s.kinds[:len(s.kinds)-1]
	}
	s.tail = ""
}

// action adds the values that an action can write for the pending key. The
// action contains a literal or calls a helper.
func (s *sketch) action(n *parse.ActionNode, when *condition, scope *binding) {
	key := s.pending
	if key == "" || s.depth > 8 {
		s.fresh = false
		return
	}
	s.pending = ""
	w := writer{source: s.file}
	start, _ := w.braces(int(n.Pos))
	for _, l := range s.b.writes(n.Pipe, s.depth) {
		if l.file == nil {
			l.file, l.node = s.file, start
		}
		l.when = join(l.when, when)
		s.add(key, l)
	}
}

// join returns the conditions of inner followed by the conditions of outer.
func join(inner, outer *condition) *condition {
	if inner == nil {
		return outer
	}
	c := *inner
	c.outer = join(inner.outer, outer)
	return &c
}

// close ends an object. It pairs the object's apiVersions and kinds, and keeps
// the pairs that no rendering executed.
func (s *sketch) close() {
	for _, v := range s.versions {
		if s.b.ran[place{v.file.file.place, v.node}] {
			continue
		}
		for _, k := range s.kinds {
			if !together(v.when, k.when) {
				continue
			}
			minors := s.b.reachable(v.when) & s.b.reachable(k.when)
			if minors.Len() == 0 {
				continue
			}
			l := Literal{APIVersion: v.text, Kind: k.text, Minors: minors, File: v.file.file.place, Template: strings.Contains(v.file.text, "{{")}
			at := v.file.span(v.pos, v.pos+len(v.text))
			l.Line, l.Column, l.EndColumn = at.line, at.column, at.endColumn
			if !slices.Contains(s.b.found, l) {
				s.b.found = append(s.b.found, l)
			}
		}
	}
	s.versions, s.kinds = nil, nil
}

// together reports whether one rendering can write both literals. The result is
// false if the literals are in different arms of one branch.
func together(a, b *condition) bool {
	for x := a; x != nil; x = x.outer {
		for y := b; y != nil; y = y.outer {
			if x.branch == y.branch && x.other != y.other {
				return false
			}
		}
	}
	return true
}

// writes returns the literals that a pipe can write.
func (b *branches) writes(pipe *parse.PipeNode, depth int) []literal {
	if pipe == nil || len(pipe.Cmds) == 0 || depth > 8 {
		return nil
	}
	args := pipe.Cmds[0].Args
	switch first := args[0].(type) {
	case *parse.StringNode:
		return []literal{{text: first.Text, pos: int(first.Pos) + 1}}
	case *parse.PipeNode:
		return b.writes(first, depth+1)
	case *parse.IdentifierNode:
		switch first.Ident {
		case "print", "quote", "trim":
			if len(args) == 2 {
				if str, ok := args[1].(*parse.StringNode); ok {
					return []literal{{text: str.Text, pos: int(str.Pos) + 1}}
				}
				if p, ok := args[1].(*parse.PipeNode); ok {
					return b.writes(p, depth+1)
				}
			}
		case "include":
			if len(args) >= 2 {
				if str, ok := args[1].(*parse.StringNode); ok {
					return b.helper(b.defines[str.Text], depth+1)
				}
			}
		}
	}
	return nil
}

// helper returns the literals that a helper can write. It returns nil if the
// helper writes more than one word.
func (b *branches) helper(d *define, depth int) []literal {
	if d == nil || d.tree == nil || d.tree.Root == nil {
		return nil
	}
	s := &sketch{b: b, file: d.file, depth: depth}
	var walk func(l *parse.ListNode, when *condition, scope *binding)
	walk = func(l *parse.ListNode, when *condition, scope *binding) {
		if l == nil {
			return
		}
		for _, n := range l.Nodes {
			if b.steps++; b.steps > maxSketched {
				return
			}
			var branch *parse.BranchNode
			switch n := n.(type) {
			case *parse.TextNode:
				lead := len(n.Text) - len(strings.TrimLeft(string(n.Text), " \t\r\n"))
				if word := strings.TrimSpace(string(n.Text)); word != "" && !strings.ContainsAny(word, " \n:") {
					s.add("apiVersion", literal{text: strings.Trim(word, `"'`), file: d.file, pos: int(n.Pos) + lead, node: int(n.Pos), when: when})
				}
			case *parse.ActionNode:
				if len(n.Pipe.Decl) > 0 {
					bare := n.Pipe.CopyPipe()
					bare.Decl = nil
					scope = &binding{name: n.Pipe.Decl[0].Ident[0], pipe: bare, outer: scope}
					continue
				}
				s.pending = "apiVersion"
				s.action(n, when, scope)
			case *parse.IfNode:
				branch = &n.BranchNode
			case *parse.WithNode:
				branch = &n.BranchNode
			}
			if branch != nil {
				walk(branch.List, &condition{branch: branch, scope: scope, outer: when}, scope)
				walk(branch.ElseList, &condition{branch: branch, other: true, scope: scope, outer: when}, scope)
			}
		}
	}
	walk(d.tree.Root, nil, nil)
	return s.versions
}
