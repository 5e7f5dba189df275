package scripts

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// input returns the standard input of a statement: a here-document or a
// here-string. Without a redirection, it returns the argument in.
func (w *walker) input(s *syntax.Stmt, in *text) *text {
	for _, red := range s.Redirs {
		switch {
		case red.Hdoc != nil:
			t := w.hereDocument(red)
			in = &t
		case red.Op == syntax.WordHdoc:
			w.substitutions(red.Word)
			t := w.unsplit(red.Word)
			in = &t
		case red.Op == syntax.RdrIn:
			in = nil
		}
	}
	return in
}

func (w *walker) hereDocument(red *syntax.Redirect) text {
	t := w.sourceOf(red.Hdoc)
	if end := red.Word.Lit(); end != "" && !strings.Contains(end, `\`) { // the end word is not quoted
		w.substitutions(red.Hdoc)
		f := fielder{noSplit: true}
		for _, part := range red.Hdoc.Parts {
			if lit, ok := part.(*syntax.Lit); ok {
				f.add(unescape(w.sourceOf(lit), "$`\\\n"))
			} else {
				w.part(&f, part, true)
			}
		}
		f.end()
		t = join(f.all...)
		t.s = strings.ReplaceAll(t.s, anyWords, hole)
	}
	w.work += len(t.s)
	t = t.slice(0, strings.LastIndexByte(t.s, '\n')+1) // without the delimiter
	if red.Op == syntax.DashHdoc {
		t = unindent(t)
	}
	return t
}

// unindent removes the tabs at the beginning of all lines.
func unindent(t text) text {
	var parts []text
	at := 0
	for line := range strings.Lines(t.s) {
		tabs := len(line) - len(strings.TrimLeft(line, "\t"))
		parts = append(parts, t.slice(at+tabs, at+len(line)))
		at += len(line)
	}
	return join(parts...)
}

// output returns what cat or echo prints, if it is a text in the script; nil
// otherwise.
func (w *walker) output(s *syntax.Stmt, in *text) *text {
	in = w.input(s, in)
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return nil
	}
	words := w.words(c)
	if len(words) == 0 {
		return nil
	}
	switch words[0].s {
	case "cat":
		if len(words) == 1 || len(words) == 2 && words[1].s == "-" {
			return in
		}
	case "echo":
		if len(words) > 1 && !strings.HasPrefix(words[1].s, "-") {
			t := join(joinWords(words[1:]), textAt("\n", words[0].wholePlace()))
			t.s = strings.ReplaceAll(t.s, anyWords, hole)
			return &t
		}
	}
	return nil
}

// commandOutput returns the output of the commands in $(…).
func (w *walker) commandOutput(p *syntax.CmdSubst) text {
	unknown := textAt(hole, w.sourceOf(p).wholePlace())
	if len(p.Stmts) != 1 {
		return unknown
	}
	if out := w.output(p.Stmts[0], nil); out != nil {
		return out.slice(0, len(strings.TrimRight(out.s, "\n")))
	}
	return unknown
}
