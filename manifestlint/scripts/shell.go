package scripts

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of the work on one file. Whatever exceeds them remains unknown.
const (
	maxWork    = 16 << 20 // bytes of words; a statement counts as 64 and one for each variable
	maxDepth   = 12       // functions and shells within each other
	maxNesting = 2_000    // brackets, which the parser follows by recursion
	maxValues  = 4        // values of a variable
	maxText    = 1 << 16  // bytes of a value
	maxFound   = 10_000   // commands or manifests
)

// shell reads a text of shell statements.
func (r *reader) shell(t text) {
	file := parse(t.s)
	if file == nil {
		return
	}
	r.comments(t, file)
	w := &walker{reader: r, src: t, top: t, vars: map[string][]text{}, funcs: map[string]*function{}}
	var names []string
	syntax.Walk(file, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok && f.Name != nil {
			w.funcs[f.Name.Value] = &function{body: f.Body}
			names = append(names, f.Name.Value)
		}
		return true
	})
	w.statements(file.Stmts, nil)
	// Other files may call the functions that this one does not call.
	for _, name := range names {
		if f := w.funcs[name]; !f.called {
			w.call(f, nil, nil)
		}
	}
}

// parse returns the statements of a shell text, without statements that have syntax
// errors. It returns nil if nothing can be parsed.
func parse(s string) (file *syntax.File) {
	if nesting(s) > maxNesting {
		return nil
	}
	defer func() {
		if recover() != nil {
			file = nil // the parser has a bug
		}
	}()
	lang := syntax.LangBash
	if strings.Contains(s, "@test") {
		lang = syntax.LangBats
	}
	file, err := syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true)).Parse(strings.NewReader(s), "")
	if err != nil {
		file, _ = syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true), syntax.RecoverErrors(20)).Parse(strings.NewReader(s), "")
	}
	return file
}

// nesting returns an upper bound of how deep brackets and quotes nest.
func nesting(s string) int {
	depth, deepest := 0, strings.Count(s, "`")
	for i := range len(s) {
		switch s[i] {
		case '(', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', '}':
			depth = max(0, depth-1)
		}
	}
	return deepest
}

// function is a function that the text defines.
type function struct {
	body           *syntax.Stmt
	called, active bool
}

// walker follows the statements of a shell text.
type walker struct {
	*reader
	// src is the text that the current statements were parsed from, top is the
	// text that has the functions.
	src, top text
	funcs    map[string]*function
	// vars has the values that each variable may have. A variable with an
	// unknown value has a hole.
	vars map[string][]text
	// choice is the index of the values that variables with several have in the
	// current words.
	choice int
	// params are the positional parameters; nil if they are unknown.
	params    []text
	depth     int
	versioned []Place // statements whose condition asks for a version
}

// spend adds to the work and reports whether more may be done.
func (r *reader) spend(n int) bool {
	r.work += n
	return r.work <= maxWork
}

// of returns the text of a node.
func (w *walker) of(n syntax.Node) text {
	if !n.Pos().IsValid() || !n.End().IsValid() {
		return text{}
	}
	return w.src.slice(int(n.Pos().Offset()), int(n.End().Offset()))
}

// statement follows a statement. in is its standard input, nil if unknown.
func (w *walker) statement(s *syntax.Stmt, in *text) {
	if s == nil || !w.spend(64+len(w.vars)) {
		return
	}
	in = w.input(s, in)
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.simple(c, in)
	case *syntax.DeclClause:
		w.substitutions(c)
		w.assign(c.Args)
	case *syntax.BinaryCmd:
		w.binary(c, in)
	case *syntax.Block:
		w.statements(c.Stmts, in)
	case *syntax.Subshell:
		w.isolated(func() { w.statements(c.Stmts, in) })
	case *syntax.IfClause:
		w.ifClause(c, in)
	case *syntax.CaseClause:
		w.caseClause(c, in)
	case *syntax.WhileClause:
		w.statements(c.Cond, nil)
		w.branches(false, func() { w.statements(c.Do, in) })
	case *syntax.ForClause:
		w.branches(false, func() { w.forClause(c) })
	case *syntax.TimeClause:
		w.statement(c.Stmt, in)
	case *syntax.TestDecl:
		w.isolated(func() { w.statement(c.Body, in) })
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		w.substitutions(c)
	}
}

// statements follows statements that share their standard input.
func (w *walker) statements(all []*syntax.Stmt, in *text) {
	for _, s := range all {
		w.statement(s, in)
	}
}

// isolated runs f for a part that keeps its variables to itself.
func (w *walker) isolated(f func()) {
	before := w.vars
	w.vars = maps.Clone(before)
	f()
	w.vars = before
}

// branches runs each function with the current variables. Afterwards, these
// have the values of all branches, and those before unless one of the branches
// always runs.
func (w *walker) branches(always bool, all ...func()) {
	before := w.vars
	var ends []map[string][]text
	for _, f := range all {
		w.vars = maps.Clone(before)
		f()
		ends = append(ends, w.vars)
	}
	if !always {
		w.vars = before
	}
	for _, end := range ends {
		for name, values := range end {
			w.vars[name] = union(w.vars[name], values)
		}
	}
}

// union returns the values of two lists, up to maxValues.
func union(a, b []text) []text {
	if len(a) == 0 || len(a) == len(b) && &a[0] == &b[0] {
		return b
	}
	for _, v := range b {
		known := slices.ContainsFunc(a, func(u text) bool { return u.s == v.s && u.place(0, 1) == v.place(0, 1) })
		if !known && len(a) < maxValues {
			a = append(a[:len(a):len(a)], v)
		}
	}
	return a
}

func (w *walker) binary(c *syntax.BinaryCmd, in *text) {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		w.isolated(func() { w.statement(c.X, in) })
		out := w.output(c.X, in)
		w.isolated(func() { w.statement(c.Y, out) })
	default:
		w.statement(c.X, in)
		w.branches(false, func() { w.statement(c.Y, in) })
	}
}

func (w *walker) ifClause(c *syntax.IfClause, in *text) {
	outer := w.of(c).all()
	var all []func()
	always := false
	for ; c != nil; c = c.Else {
		w.statements(c.Cond, nil)
		always = len(c.Cond) == 0 // else
		for _, cond := range c.Cond {
			w.asksVersion(cond, outer)
		}
		then := c.Then
		all = append(all, func() { w.statements(then, in) })
	}
	w.branches(always, all...)
}

func (w *walker) caseClause(c *syntax.CaseClause, in *text) {
	w.substitutions(c.Word)
	w.asksVersion(c.Word, w.of(c).all())
	var all []func()
	always := false
	for _, item := range c.Items {
		all = append(all, func() { w.statements(item.Stmts, in) })
		for _, p := range item.Patterns {
			always = always || p.Lit() == "*"
		}
	}
	w.branches(always, all...)
}

// asksVersion records a statement whose condition is about a version.
func (w *walker) asksVersion(cond syntax.Node, statement Place) {
	s := strings.ToLower(w.of(cond).s)
	if strings.Contains(s, "version") || strings.Contains(s, "minor") || strings.Contains(s, "--help") {
		w.versioned = append(w.versioned, statement)
	}
}

// forClause follows a loop. The value of its variable is unknown.
func (w *walker) forClause(c *syntax.ForClause) {
	w.substitutions(c.Loop)
	if iter, ok := c.Loop.(*syntax.WordIter); ok && iter.Name != nil {
		w.vars[iter.Name.Value] = []text{textAt(hole, w.of(iter).all())}
	}
	w.statements(c.Do, nil)
}

// substitutions follows the commands within the words of a node.
func (w *walker) substitutions(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.isolated(func() { w.statements(n.Stmts, nil) })
			return false
		case *syntax.ProcSubst:
			w.isolated(func() { w.statements(n.Stmts, nil) })
			return false
		}
		return true
	})
}

// assign follows assignments. A value that has no single text is unknown.
func (w *walker) assign(all []*syntax.Assign) {
	for _, a := range all {
		if a.Name == nil || a.Naked {
			continue
		}
		if a.Index != nil || a.Array != nil {
			w.vars[a.Name.Value] = []text{textAt(hole, w.of(a).all())}
			continue
		}
		var values []text
		before := w.vars[a.Name.Value]
		for w.choice = range max(w.choices(a), len(before)) {
			value := w.single(a.Value)
			if a.Append && len(before) > 0 {
				value = join(before[min(w.choice, len(before)-1)], value)
			} else if a.Append {
				value = join(textAt(hole, value.place(0, 0)), value)
			}
			if len(value.s) > maxText {
				value = textAt(hole, value.all())
			}
			values = union(values, []text{value.keep()})
		}
		w.choice = 0
		w.vars[a.Name.Value] = values
	}
}

// choices returns how many values the variables of a node have at most.
func (w *walker) choices(n syntax.Node) int {
	most := 1
	syntax.Walk(n, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil {
			most = max(most, len(w.vars[p.Param.Value]))
		}
		return true
	})
	return most
}
