package scripts

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of what is followed; what is beyond them is not known.
const (
	maxSteps    = 50_000   // of all statements and words of a file
	maxDepth    = 12       // of functions, evals and shells within each other
	maxNesting  = 2_000    // of brackets, which the parser follows by recursion
	maxAlts     = 4        // values of a variable
	maxWorlds   = 16       // combinations of values for one command
	maxText     = 1 << 18  // bytes of a value
	maxCopied   = 32 << 20 // bytes of all values of a file
	maxWords    = 2_000    // of a command
	maxCommands = 10_000
)

// shell reads a text of shell statements. env is what is known of variables
// before it; nil: nothing.
func (r *reader) shell(t text, e *env) {
	file := parse(t)
	if file == nil {
		return
	}
	r.comments(t, file)
	w := &walker{reader: r, funcs: map[string]*function{}}
	w.declare(t, file)
	if e == nil {
		e = newEnv()
	}
	w.src = t
	w.statements(file.Stmts, e)
	// Functions that nothing here calls are for those who source the file.
	for _, name := range w.order {
		if f := w.funcs[name]; !f.called {
			e := e.clone()
			e.params, e.known = nil, false
			w.body(f, e, nil)
		}
	}
}

// parse gives the statements of a text, with errors left out; nil if there is
// nothing left.
func parse(t text) (file *syntax.File) {
	if strings.Count(t.s, "(")+strings.Count(t.s, "{")+strings.Count(t.s, "`") > maxNesting && deep(t.s) {
		return nil
	}
	defer func() {
		if recover() != nil {
			file = nil // a bug of the parser is not the end of the run
		}
	}()
	for _, lang := range []syntax.LangVariant{syntax.LangBash, syntax.LangBats, syntax.LangMirBSDKorn} {
		if lang == syntax.LangBats && !strings.Contains(t.s, "@test") || lang == syntax.LangMirBSDKorn && len(t.s) > 1<<16 {
			continue
		}
		p := syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true))
		if f, err := p.Parse(strings.NewReader(t.s), ""); err == nil {
			return f
		}
	}
	// What stands before an error is still right.
	p := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true), syntax.RecoverErrors(20))
	f, _ := p.Parse(strings.NewReader(t.s), "")
	return f
}

// deep reports whether brackets nest deeper than any program's.
func deep(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '{':
			if depth++; depth > maxNesting {
				return true
			}
		case ')', '}':
			depth = max(0, depth-1)
		}
	}
	return strings.Count(s, "`") > maxNesting
}

// function is a function of the text.
type function struct {
	body   *syntax.Stmt
	src    text
	called bool
	active bool
}

// walker follows the statements of a text.
type walker struct {
	*reader
	src       text // what the statements at hand were parsed from
	funcs     map[string]*function
	order     []string
	depth     int
	versioned []Place
}

// declare notes the functions of a text, which may be called before they are
// declared further down.
func (w *walker) declare(t text, node syntax.Node) {
	syntax.Walk(node, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok && f.Name != nil && f.Body != nil {
			name := f.Name.Value
			if _, ok := w.funcs[name]; !ok {
				w.order = append(w.order, name)
			}
			w.funcs[name] = &function{body: f.Body, src: t}
		}
		return true
	})
}

// step counts the work that is done and reports whether more may be.
func (r *reader) step() bool {
	r.steps++
	return r.steps <= maxSteps && r.copied <= maxCopied
}

// cut gives a node's text as it was written.
func (w *walker) cut(from, to syntax.Pos) text {
	if !from.IsValid() || !to.IsValid() {
		return text{}
	}
	return w.src.slice(int(from.Offset()), int(to.Offset()))
}

func (w *walker) of(n syntax.Node) text { return w.cut(n.Pos(), n.End()) }

func (w *walker) statements(all []*syntax.Stmt, e *env) {
	for _, s := range all {
		w.statement(s, e, nil)
	}
}

// statement follows one statement. in is its standard input, nil if that is
// not known.
func (w *walker) statement(s *syntax.Stmt, e *env, in *text) {
	if s == nil || !w.step() {
		return
	}
	for _, red := range s.Redirs {
		if red.Hdoc != nil {
			in = w.hereDocument(red, e)
			continue
		}
		if red.Word == nil {
			continue
		}
		w.substitutions(red.Word, e)
		switch red.Op {
		case syntax.WordHdoc:
			t := w.single(red.Word, e)
			in = &t
		case syntax.RdrIn:
			if t, ok := e.files[w.single(red.Word, e).s]; ok {
				in = &t
			}
		}
	}
	w.command(s.Cmd, e, in)
	w.redirected(s, e, in)
}

// redirected notes what a statement writes to a file.
func (w *walker) redirected(s *syntax.Stmt, e *env, in *text) {
	for _, red := range s.Redirs {
		if red.Word == nil || red.Hdoc != nil {
			continue
		}
		switch red.Op {
		case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.AppOut, syntax.AppAll:
			name := w.single(red.Word, e)
			if name.s == "" || name.holed() || strings.HasPrefix(name.s, "/dev/") {
				continue
			}
			out, ok := w.output(s, e, in)
			if before, had := e.files[name.s]; ok && had && (red.Op == syntax.AppOut || red.Op == syntax.AppAll) {
				out = before.plus(out)
			}
			if ok && out.cost() < maxText {
				e.files[name.s] = out
			} else {
				delete(e.files, name.s)
			}
		}
	}
}

func (w *walker) command(c syntax.Command, e *env, in *text) {
	switch c := c.(type) {
	case *syntax.CallExpr:
		w.call(c, e, in)
	case *syntax.BinaryCmd:
		w.binary(c, e, in)
	case *syntax.Block:
		for _, s := range c.Stmts {
			w.statement(s, e, in)
		}
	case *syntax.Subshell:
		sub := e.clone()
		for _, s := range c.Stmts {
			w.statement(s, sub, in)
		}
	case *syntax.IfClause:
		w.ifClause(c, e, in)
	case *syntax.WhileClause:
		w.statements(c.Cond, e)
		body := e.clone()
		for _, s := range c.Do {
			w.statement(s, body, in)
		}
		e.join(body)
	case *syntax.ForClause:
		w.forClause(c, e)
	case *syntax.CaseClause:
		w.caseClause(c, e, in)
	case *syntax.DeclClause:
		for _, a := range c.Args {
			w.assign(a, e)
		}
	case *syntax.TimeClause:
		w.statement(c.Stmt, e, in)
	case *syntax.CoprocClause:
		w.statement(c.Stmt, e.clone(), in)
	case *syntax.TestDecl:
		w.statement(c.Body, e.clone(), in)
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		w.substitutions(c, e)
	}
}

func (w *walker) binary(c *syntax.BinaryCmd, e *env, in *text) {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		w.statement(c.X, e.clone(), in)
		var out *text
		if t, ok := w.output(c.X, e, in); ok {
			out = &t
		}
		if c.Y != nil {
			w.statement(c.Y, e.clone(), out)
			w.redirected(c.Y, e, out)
		}
	default:
		w.statement(c.X, e, in)
		before := e.clone()
		w.statement(c.Y, e, in)
		e.join(before)
	}
}

func (w *walker) ifClause(c *syntax.IfClause, e *env, in *text) {
	var ends []*env
	outer := c
	closed := false
	for ; c != nil; c = c.Else {
		w.statements(c.Cond, e)
		if len(c.Cond) > 0 {
			if asksVersion(w.cut(c.Cond[0].Pos(), c.Cond[len(c.Cond)-1].End()).s) {
				w.versioned = append(w.versioned, w.of(outer).all())
			}
		} else {
			closed = true // else
		}
		branch := e.clone()
		for _, s := range c.Then {
			w.statement(s, branch, in)
		}
		ends = append(ends, branch)
	}
	e.merge(ends, closed)
}

func (w *walker) caseClause(c *syntax.CaseClause, e *env, in *text) {
	w.substitutions(c.Word, e)
	if asksVersion(w.of(c.Word).s) {
		w.versioned = append(w.versioned, w.of(c).all())
	}
	var ends []*env
	closed := false
	for _, item := range c.Items {
		branch := e.clone()
		for _, s := range item.Stmts {
			w.statement(s, branch, in)
		}
		ends = append(ends, branch)
		for _, p := range item.Patterns {
			closed = closed || p.Lit() == "*"
		}
	}
	e.merge(ends, closed)
}

// asksVersion reports whether a condition is about a version: what stands
// under it is right for some.
func asksVersion(cond string) bool {
	lower := strings.ToLower(cond)
	return strings.Contains(lower, "version") || strings.Contains(lower, "minor") || strings.Contains(lower, "--help")
}

func (w *walker) forClause(c *syntax.ForClause, e *env) {
	body := e.clone()
	if iter, ok := c.Loop.(*syntax.WordIter); ok && iter.Name != nil {
		v := &variable{open: true}
		for _, item := range iter.Items {
			w.substitutions(item, e)
			for _, f := range w.fields(item, e, nil) {
				v.add([]text{f.keep()})
			}
		}
		if len(v.alts) == 0 || v.overflow {
			v = unknownVariable()
		}
		body.vars[iter.Name.Value] = v
	}
	for _, s := range c.Do {
		w.statement(s, body, nil)
	}
	e.join(body)
}

// substitutions follows the commands in a node's words.
func (w *walker) substitutions(n syntax.Node, e *env) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.statements(n.Stmts, e.clone())
			return false
		case *syntax.ProcSubst:
			w.statements(n.Stmts, e.clone())
			return false
		}
		return true
	})
}

// within follows a text that a command of this one runs.
func (w *walker) within(t text, e *env, in *text) {
	if w.depth >= maxDepth || !w.step() {
		return
	}
	t = remask(t)
	file := parse(t)
	if file == nil {
		return
	}
	src := w.src
	w.depth++
	w.src = t
	w.declare(t, file)
	for _, s := range file.Stmts {
		w.statement(s, e, in)
	}
	w.src = src
	w.depth--
}
