package kubectldryrun

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules/kubectl"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// checkLine checks one command line. If the line starts a shell, checkLine checks the
// commands in the script of the shell.
func (c *checker) checkLine(l line) {
	program := l.program()
	if script, ok := shellScript(program, l); ok {
		for _, words := range commands(script.text) {
			c.arguments(kubectl.ProgramOf(words[0].text), inScript(words[1:], script))
		}
		return
	}
	if len(l) > 0 {
		c.arguments(kubectl.ProgramOf(program), l[1:])
	}
}

// arguments checks the arguments of kubectl or oc.
func (c *checker) arguments(program kubectl.Program, items line) {
	if program == 0 {
		return
	}
	args := make([]kubectl.Arg, len(items))
	for i, it := range items {
		args[i] = it.arg()
	}
	for _, v := range kubectl.Check(program, args, lifecycle.Newest) {
		it := items[v.Index]
		if it.at == nil || c.reported[it.at.Pos()] || c.forVersion(it.at) {
			continue
		}
		c.reported[it.at.Pos()] = true
		scope.Report(c.pass, analysis.Diagnostic{
			Pos: it.at.Pos(), End: it.at.End(),
			Message:        v.Message(program, it.arg()),
			SuggestedFixes: c.fix(v, items),
		})
	}
}

// forVersion reports whether an argument is in a function that finds out or compares
// versions. Such functions use old forms on purpose, for old versions.
func (c *checker) forVersion(at ast.Expr) bool {
	for _, fn := range c.index.decls {
		if fn.Pos() <= at.Pos() && at.Pos() < fn.End() {
			return c.index.versions[fn]
		}
	}
	return false
}

// fix returns the fix that replaces a literal with an old form by the current form. It
// returns nil if kubectl may behave differently with the current form.
func (c *checker) fix(v kubectl.Verdict, items line) []analysis.SuggestedFix {
	it := items[v.Index]
	lit, ok := ast.Unparen(it.at).(*ast.BasicLit)
	if !v.Safe || !ok || lit.Kind != token.STRING || it.param > 0 {
		return nil
	}
	if next := v.Index + 1; next < len(items) && !items[next].repeated && strings.HasPrefix(items[next].text, hole) && items[next].at != nil &&
		!strings.Contains(it.text, "=") && items[next].at != it.at {
		return nil // The next argument may be meant as the value. kubectl does not read it as the value.
	}
	text := ""
	if f := edit.Open(c.pass, lit.Pos()); f != nil {
		text = f.Text(lit)
	}
	plain, err := strconv.Unquote(text)
	if err != nil {
		return nil
	}
	at, width := 1, len(text)-2
	if plain != it.text {
		// The literal is a shell script. The text must occur in it only once.
		if strings.Count(text, it.text) != 1 || strings.Contains(it.text, `\`) {
			return nil
		}
		at, width = strings.Index(text, it.text), len(it.text)
	}
	pos := lit.Pos() + token.Pos(at)
	return []analysis.SuggestedFix{{
		Message:   "Replace with " + v.Replacement,
		TextEdits: []analysis.TextEdit{{Pos: pos, End: pos + token.Pos(width), NewText: []byte(v.Replacement)}},
	}}
}
