package helmchart

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template/parse"
)

// condition is an action around a literal, such as an if, and the arm of the
// action that contains the literal.
type condition struct {
	branch *parse.BranchNode
	inElse bool // the literal is in the else arm
	scope  *binding
	outer  *condition
}

// literal is a value that a template contains literally.
type literal struct {
	text string
	file *templateFile
	pos  int // offset of the text in the file
	node int // offset of the template node that contains the text
	cond *condition
}

// objectScan collects the apiVersions and kinds of one object.
type objectScan struct {
	b        *branches
	file     *templateFile
	versions []literal
	kinds    []literal
	// pendingKey is the key whose value was not read yet. atLineStart is true at
	// the beginning of a line.
	pendingKey  string
	atLineStart bool
	// lastKey is the key of the last literal, if the next node may continue its
	// value.
	lastKey string
	depth   int
}

func (b *branches) document(d *define) {
	if d.tree == nil || d.tree.Root == nil {
		return
	}
	s := &objectScan{b: b, file: d.file, atLineStart: true}
	s.list(d.tree.Root, nil, nil)
	s.finish()
}

func (s *objectScan) list(l *parse.ListNode, cond *condition, scope *binding) *binding {
	if l == nil {
		return scope
	}
	for _, n := range l.Nodes {
		if s.b.steps++; s.b.steps > maxSearchedNodes {
			return scope
		}
		switch n := n.(type) {
		case *parse.TextNode:
			s.text(n, cond)
		case *parse.ActionNode:
			if len(n.Pipe.Decl) > 0 {
				withoutDecl := n.Pipe.CopyPipe()
				withoutDecl.Decl = nil
				scope = &binding{name: n.Pipe.Decl[0].Ident[0], pipe: withoutDecl, outer: scope}
				continue
			}
			s.dropLast()
			s.action(n, cond, scope)
		case *parse.TemplateNode:
			s.dropLast()
			s.atLineStart, s.pendingKey = false, ""
		case *parse.IfNode:
			s.branch(&n.BranchNode, cond, scope)
		case *parse.WithNode:
			s.branch(&n.BranchNode, cond, scope)
		case *parse.RangeNode:
			s.branch(&n.BranchNode, cond, scope)
		default:
			s.atLineStart, s.pendingKey = false, ""
		}
	}
	return scope
}

// branch visits both arms of a branch. Each arm starts with the values that
// s.pendingKey and s.atLineStart have before the branch.
func (s *objectScan) branch(n *parse.BranchNode, cond *condition, scope *binding) {
	pending, fresh := s.pendingKey, s.atLineStart
	s.list(n.List, &condition{branch: n, scope: scope, outer: cond}, scope)
	if n.ElseList != nil {
		s.pendingKey, s.atLineStart = pending, fresh
		s.list(n.ElseList, &condition{branch: n, inElse: true, scope: scope, outer: cond}, scope)
	}
}

// text searches a text for apiVersion and kind.
func (s *objectScan) text(n *parse.TextNode, cond *condition) {
	at := 0
	for line := range strings.SplitAfterSeq(string(n.Text), "\n") {
		if line != "" {
			s.lastKey = ""
		}
		s.line(n, strings.TrimRight(line, "\r\n"), at, cond)
		if strings.HasSuffix(line, "\n") {
			s.atLineStart, s.pendingKey, s.lastKey = true, "", ""
		} else if line != "" {
			s.atLineStart = false
		}
		at += len(line)
	}
}

func (s *objectScan) line(n *parse.TextNode, line string, at int, cond *condition) {
	add := func(key, value string, from int) {
		value, from = unquote(value, from)
		if value == "" {
			s.pendingKey = key
			return
		}
		if s.add(key, literal{text: value, file: s.file, pos: int(n.Pos) + at + from, node: int(n.Pos), cond: cond}) {
			s.lastKey = key
		}
	}
	if s.pendingKey != "" && strings.TrimSpace(line) != "" {
		key := s.pendingKey
		s.pendingKey = ""
		add(key, line, 0)
		return
	}
	if !s.atLineStart {
		return
	}
	if line == "---" || strings.HasPrefix(line, "--- ") {
		s.finish()
		return
	}
	for _, key := range []string{"apiVersion", "kind"} {
		if rest, ok := strings.CutPrefix(line, key+":"); ok {
			add(key, rest, len(key)+1)
		}
	}
}

// unquote returns a plain or quoted value without quotes, and the offset of the
// value. from is the offset of text. The value is "" if text has another form.
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
func (s *objectScan) add(key string, l literal) bool {
	list, form := &s.versions, versionForm
	if key == "kind" {
		list, form = &s.kinds, kindForm
	}
	if !form().MatchString(l.text) {
		return false // such as a part of a name
	}
	// A second value in one branch begins another object.
	if slices.ContainsFunc(*list, func(other literal) bool { return other.cond == l.cond && other.file == l.file }) {
		s.finish()
	}
	if len(*list) >= maxAlternatives {
		return false
	}
	*list = append(*list, l)
	return true
}

var (
	versionForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z0-9.-]+/)?v[0-9]+((alpha|beta)[0-9]+)?$`) })
	kindForm    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`) })
)

// dropLast removes the last literal, because a template action continues its
// value.
func (s *objectScan) dropLast() {
	switch {
	case s.lastKey == "apiVersion" && len(s.versions) > 0:
		s.versions = s.versions[:len(s.versions)-1]
	case s.lastKey == "kind" && len(s.kinds) > 0:
		s.kinds = s.kinds[:len(s.kinds)-1]
	}
	s.lastKey = ""
}

// action adds the literals that an action can write as the value of
// s.pendingKey.
func (s *objectScan) action(n *parse.ActionNode, cond *condition, scope *binding) {
	key := s.pendingKey
	if key == "" || s.depth > 8 {
		s.atLineStart = false
		return
	}
	s.pendingKey = ""
	w := writer{source: s.file}
	start, _ := w.braces(int(n.Pos))
	for _, l := range s.b.writes(n.Pipe, s.depth) {
		if l.file == nil {
			l.file, l.node = s.file, start
		}
		l.cond = join(l.cond, cond)
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

// finish ends an object. It pairs the object's apiVersions and kinds, and keeps
// the pairs that no rendering executed.
func (s *objectScan) finish() {
	for _, v := range s.versions {
		if s.b.executed[nodePos{v.file.file.place, v.node}] {
			continue
		}
		for _, k := range s.kinds {
			if !canCoexist(v.cond, k.cond) {
				continue
			}
			minors := s.b.reachableMinors(v.cond) & s.b.reachableMinors(k.cond)
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

// canCoexist reports whether one rendering can write both literals. It cannot
// if they are in different arms of one branch.
func canCoexist(a, b *condition) bool {
	for x := a; x != nil; x = x.outer {
		for y := b; y != nil; y = y.outer {
			if x.branch == y.branch && x.inElse != y.inElse {
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

// helper returns the literals that a helper can write. It skips texts with more
// than one word.
func (b *branches) helper(d *define, depth int) []literal {
	if d == nil || d.tree == nil || d.tree.Root == nil {
		return nil
	}
	s := &objectScan{b: b, file: d.file, depth: depth}
	var walk func(l *parse.ListNode, cond *condition, scope *binding)
	walk = func(l *parse.ListNode, cond *condition, scope *binding) {
		if l == nil {
			return
		}
		for _, n := range l.Nodes {
			if b.steps++; b.steps > maxSearchedNodes {
				return
			}
			var branch *parse.BranchNode
			switch n := n.(type) {
			case *parse.TextNode:
				lead := len(n.Text) - len(strings.TrimLeft(string(n.Text), " \t\r\n"))
				if word := strings.TrimSpace(string(n.Text)); word != "" && !strings.ContainsAny(word, " \n:") {
					s.add("apiVersion", literal{text: strings.Trim(word, `"'`), file: d.file, pos: int(n.Pos) + lead, node: int(n.Pos), cond: cond})
				}
			case *parse.ActionNode:
				if len(n.Pipe.Decl) > 0 {
					withoutDecl := n.Pipe.CopyPipe()
					withoutDecl.Decl = nil
					scope = &binding{name: n.Pipe.Decl[0].Ident[0], pipe: withoutDecl, outer: scope}
					continue
				}
				s.pendingKey = "apiVersion"
				s.action(n, cond, scope)
			case *parse.IfNode:
				branch = &n.BranchNode
			case *parse.WithNode:
				branch = &n.BranchNode
			}
			if branch != nil {
				walk(branch.List, &condition{branch: branch, scope: scope, outer: cond}, scope)
				walk(branch.ElseList, &condition{branch: branch, inElse: true, scope: scope, outer: cond}, scope)
			}
		}
	}
	walk(d.tree.Root, nil, nil)
	return s.versions
}
