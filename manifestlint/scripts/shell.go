package scripts

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits for one file. Values that exceed them count as unknown.
const (
	maxWork    = 16 << 20 // work units: bytes of words; 64 for each statement and 1 for each of its variables
	maxDepth   = 12       // depth of calls of functions and shells
	maxNesting = 2_000    // depth of brackets, because the parser is recursive
	maxValues  = 4        // number of possible values of a variable
	maxText    = 1 << 16  // bytes of a value
	maxFound   = 10_000   // number of commands or manifests
)

// shell reads a text of shell statements.
func (r *reader) shell(t text) {
	file := parse(t.s)
	if file == nil {
		return
	}
	r.comments(t, file)
	w := &walker{reader: r, src: t, functionsText: t, vars: map[string][]text{}, funcs: map[string]*function{}}
	var names []string
	syntax.Walk(file, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok && f.Name != nil {
			w.funcs[f.Name.Value] = &function{body: f.Body}
			names = append(names, f.Name.Value)
		}
		return true
	})
	w.statements(file.Stmts, nil)
	// Other files may call functions that this file only defines.
	for _, name := range names {
		if f := w.funcs[name]; !f.called {
			w.callFunction(f, nil, nil)
		}
	}
}

// parse parses a shell text without the statements that have syntax errors; nil
// if none is left.
func parse(s string) (file *syntax.File) {
	if nesting(s) > maxNesting {
		return nil
	}
	defer func() {
		if recover() != nil {
			file = nil // because of a bug in the parser
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

// nesting returns an upper bound for the depth of brackets and quotes.
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

type function struct {
	body            *syntax.Stmt
	called, running bool
}

// walker evaluates the statements of a shell text.
type walker struct {
	*reader
	// src is the text from which the current statements were parsed.
	// functionsText is the text that defines the functions.
	src, functionsText text
	funcs              map[string]*function
	// vars has the possible values of each variable. An unknown value is a hole.
	vars map[string][]text
	// valueIndex is the index of the values that are used for the current words,
	// if variables have several values.
	valueIndex int
	// params are the positional parameters; nil if unknown.
	params        []text
	depth         int
	versionChecks []Place // statements under a condition that checks a version
}

// spend adds n to the work. It returns false if the limit is exceeded.
func (r *reader) spend(n int) bool {
	r.work += n
	return r.work <= maxWork
}

// sourceOf returns the source text of a node.
func (w *walker) sourceOf(n syntax.Node) text {
	if !n.Pos().IsValid() || !n.End().IsValid() {
		return text{}
	}
	return w.src.slice(int(n.Pos().Offset()), int(n.End().Offset()))
}

// statement evaluates a statement. in is its standard input; nil if unknown.
func (w *walker) statement(s *syntax.Stmt, in *text) {
	if s == nil || !w.spend(64+len(w.vars)) {
		return
	}
	in = w.input(s, in)
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.simpleCommand(c, in)
	case *syntax.DeclClause:
		w.substitutions(c)
		w.assign(c.Args)
	case *syntax.BinaryCmd:
		w.binary(c, in)
	case *syntax.Block:
		w.statements(c.Stmts, in)
	case *syntax.Subshell:
		w.inSubshell(func() { w.statements(c.Stmts, in) })
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
		w.inSubshell(func() { w.statement(c.Body, in) })
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		w.substitutions(c)
	}
}

// statements evaluates statements that share their standard input.
func (w *walker) statements(all []*syntax.Stmt, in *text) {
	for _, s := range all {
		w.statement(s, in)
	}
}

// inSubshell calls f, and then restores the variables.
func (w *walker) inSubshell(f func()) {
	before := w.vars
	w.vars = maps.Clone(before)
	f()
	w.vars = before
}

// branches calls each function, which is one branch of the script, with the
// current variables. Afterwards, each variable has the values from all
// branches. If exhaustive is false, it is possible that no branch runs, so each
// variable also keeps its old values.
func (w *walker) branches(exhaustive bool, all ...func()) {
	before := w.vars
	var ends []map[string][]text
	for _, f := range all {
		w.vars = maps.Clone(before)
		f()
		ends = append(ends, w.vars)
	}
	if !exhaustive {
		w.vars = before
	}
	for _, end := range ends {
		for name, values := range end {
			w.vars[name] = union(w.vars[name], values)
		}
	}
}

// union returns the values in either list, at most maxValues.
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
		w.inSubshell(func() { w.statement(c.X, in) })
		out := w.output(c.X, in)
		w.inSubshell(func() { w.statement(c.Y, out) })
	default:
		w.statement(c.X, in)
		w.branches(false, func() { w.statement(c.Y, in) })
	}
}

func (w *walker) ifClause(c *syntax.IfClause, in *text) {
	outer := w.sourceOf(c).wholePlace()
	var all []func()
	exhaustive := false
	for ; c != nil; c = c.Else {
		w.statements(c.Cond, nil)
		exhaustive = len(c.Cond) == 0 // else
		for _, cond := range c.Cond {
			w.recordVersionCheck(cond, outer)
		}
		then := c.Then
		all = append(all, func() { w.statements(then, in) })
	}
	w.branches(exhaustive, all...)
}

func (w *walker) caseClause(c *syntax.CaseClause, in *text) {
	w.substitutions(c.Word)
	w.recordVersionCheck(c.Word, w.sourceOf(c).wholePlace())
	var all []func()
	exhaustive := false
	for _, item := range c.Items {
		all = append(all, func() { w.statements(item.Stmts, in) })
		for _, p := range item.Patterns {
			exhaustive = exhaustive || p.Lit() == "*"
		}
	}
	w.branches(exhaustive, all...)
}

// recordVersionCheck records a statement if its condition checks a version.
func (w *walker) recordVersionCheck(cond syntax.Node, statement Place) {
	s := strings.ToLower(w.sourceOf(cond).s)
	if strings.Contains(s, "version") || strings.Contains(s, "minor") || strings.Contains(s, "--help") {
		w.versionChecks = append(w.versionChecks, statement)
	}
}

// forClause evaluates a loop. The value of the loop's variable is unknown.
func (w *walker) forClause(c *syntax.ForClause) {
	w.substitutions(c.Loop)
	if iter, ok := c.Loop.(*syntax.WordIter); ok && iter.Name != nil {
		w.vars[iter.Name.Value] = []text{textAt(hole, w.sourceOf(iter).wholePlace())}
	}
	w.statements(c.Do, nil)
}

// substitutions evaluates the commands in the words of a node.
func (w *walker) substitutions(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.inSubshell(func() { w.statements(n.Stmts, nil) })
			return false
		case *syntax.ProcSubst:
			w.inSubshell(func() { w.statements(n.Stmts, nil) })
			return false
		}
		return true
	})
}

// assign evaluates assignments. A value that is not a single text is unknown.
func (w *walker) assign(all []*syntax.Assign) {
	for _, a := range all {
		if a.Name == nil || a.Naked {
			continue
		}
		if a.Index != nil || a.Array != nil {
			w.vars[a.Name.Value] = []text{textAt(hole, w.sourceOf(a).wholePlace())}
			continue
		}
		var values []text
		before := w.vars[a.Name.Value]
		for w.valueIndex = range max(w.valueCount(a), len(before)) {
			value := w.unsplit(a.Value)
			if a.Append && len(before) > 0 {
				value = join(before[min(w.valueIndex, len(before)-1)], value)
			} else if a.Append {
				value = join(textAt(hole, value.place(0, 0)), value)
			}
			if len(value.s) > maxText {
				value = textAt(hole, value.wholePlace())
			}
			values = union(values, []text{value.asValue()})
		}
		w.valueIndex = 0
		w.vars[a.Name.Value] = values
	}
}

// valueCount returns the largest number of values that a variable in a node
// has.
func (w *walker) valueCount(n syntax.Node) int {
	largest := 1
	syntax.Walk(n, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil {
			largest = max(largest, len(w.vars[p.Param.Value]))
		}
		return true
	})
	return largest
}
