package scripts

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// hereDocument gives the text of a here-document.
func (w *walker) hereDocument(red *syntax.Redirect, e *env) *text {
	t := text{}
	if len(red.Hdoc.Parts) > 0 {
		if quotedDelimiter(red.Word) {
			t = unmask(w.cut(red.Hdoc.Pos(), red.Hdoc.End()))
		} else {
			w.substitutions(red.Hdoc, e)
			var j joiner
			for _, part := range red.Hdoc.Parts {
				if lit, ok := part.(*syntax.Lit); ok {
					j.add(unescape(w.of(lit), "$`\\\n"))
					continue
				}
				w.quoted(&j, part, e, nil, true)
			}
			t = strip(j.text())
		}
		t = undelimited(t, red.Word)
	}
	if red.Op == syntax.DashHdoc {
		var j joiner
		for _, line := range t.lines() {
			j.add(line.slice(len(line.s)-len(strings.TrimLeft(line.s, "\t")), len(line.s)))
		}
		t = j.text()
	}
	return &t
}

// undelimited cuts the line that ends a here-document, which the parser counts
// to it.
func undelimited(t text, word *syntax.Word) text {
	var delimiter strings.Builder
	for _, part := range word.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			delimiter.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			delimiter.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if lit, ok := inner.(*syntax.Lit); ok {
					delimiter.WriteString(lit.Value)
				}
			}
		}
	}
	body := strings.TrimRight(t.s, "\n")
	n := strings.LastIndexByte(body, '\n') + 1
	if strings.TrimLeft(body[n:], "\t") == delimiter.String() {
		return t.slice(0, n)
	}
	return t
}

// quotedDelimiter reports whether a here-document is taken as it stands.
func quotedDelimiter(word *syntax.Word) bool {
	for _, part := range word.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}

// output gives what a statement writes to its standard output, where it does
// no more than hand text on.
func (w *walker) output(s *syntax.Stmt, e *env, in *text) (text, bool) {
	if s == nil || !w.step() {
		return text{}, false
	}
	for _, red := range s.Redirs {
		switch {
		case red.Hdoc != nil:
			in = w.hereDocument(red, e)
		case red.Op == syntax.WordHdoc:
			t := w.single(red.Word, e)
			in = &t
		case red.Op == syntax.RdrIn:
			in = nil
			if t, ok := e.files[w.single(red.Word, e).s]; ok {
				in = &t
			}
		}
	}
	switch c := s.Cmd.(type) {
	case nil:
		return text{}, false
	case *syntax.CallExpr:
		return w.printed(c, e, in)
	case *syntax.Block:
		return w.outputs(c.Stmts, e, in)
	case *syntax.Subshell:
		return w.outputs(c.Stmts, e, in)
	case *syntax.BinaryCmd:
		if c.Op != syntax.Pipe {
			return text{}, false
		}
		out, ok := w.output(c.X, e, in)
		if !ok {
			return text{}, false
		}
		return w.output(c.Y, e, &out)
	}
	return text{}, false
}

func (w *walker) outputs(all []*syntax.Stmt, e *env, in *text) (text, bool) {
	var j joiner
	for _, s := range all {
		t, ok := w.output(s, e, in)
		if !ok || j.b.Len() > maxText {
			return text{}, false
		}
		j.add(t)
	}
	return j.text(), true
}

// printed gives what a simple command prints.
func (w *walker) printed(c *syntax.CallExpr, e *env, in *text) (text, bool) {
	var words []text
	for _, word := range c.Args {
		words = append(words, w.fields(word, e, nil)...)
	}
	if len(words) > 1 && words[0].s == "sudo" {
		words = words[1:]
	}
	if len(words) == 0 {
		return text{}, false
	}
	args := words[1:]
	newline := made("\n", words[0].all())
	switch programName(words[0]) {
	case "cat":
		if in != nil && (len(args) == 0 || len(args) == 1 && args[0].s == "-") {
			return *in, true
		}
		var j joiner
		for _, a := range args {
			t, ok := e.files[a.s]
			if !ok {
				return text{}, false
			}
			j.add(t)
		}
		return j.text(), len(args) > 0
	case "tee":
		if in != nil {
			return *in, true
		}
	case "envsubst":
		if in != nil {
			return expandable(*in), true
		}
	case "echo":
		escapes := false
		for len(args) > 0 && strings.HasPrefix(args[0].s, "-") && strings.Trim(args[0].s[1:], "neE") == "" && len(args[0].s) > 1 {
			escapes = escapes || strings.Contains(args[0].s, "e")
			args = args[1:]
		}
		t := spaced(args).plus(newline)
		if escapes {
			t = backslashes(t)
		}
		return strip(t), true
	case "printf":
		switch {
		case len(args) == 1 && !strings.Contains(args[0].s, "%"):
			return strip(backslashes(args[0])), true
		case len(args) == 2 && (args[0].s == "%s" || args[0].s == `%s\n`):
			return strip(args[1].plus(newline)), true
		case len(args) == 2 && args[0].s == "%b":
			return strip(backslashes(args[1])), true
		}
	}
	return text{}, false
}

// backslashes does what echo -e does with line feeds and tabs.
func backslashes(t text) text {
	return t.replace(func(s string, from int) (int, int, text) {
		for i := from; i+1 < len(s); i++ {
			if s[i] != '\\' {
				continue
			}
			by := map[byte]string{'n': "\n", 't': "\t", '\\': `\`}[s[i+1]]
			if by == "" {
				by = hole
			}
			return i, i + 2, made(by, t.place(i, i+2))
		}
		return -1, -1, text{}
	})
}

// expandable puts holes where envsubst fills in variables.
func expandable(t text) text {
	return t.replace(func(s string, from int) (int, int, text) {
		for i := from; i+1 < len(s); i++ {
			if s[i] != '$' {
				continue
			}
			j := i + 1
			braced := s[j] == '{'
			if braced {
				j++
			}
			start := j
			for j < len(s) && (s[j] == '_' || s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z' || s[j] >= '0' && s[j] <= '9') {
				j++
			}
			if j == start || braced && (j >= len(s) || s[j] != '}') {
				continue
			}
			if braced {
				j++
			}
			return i, j, made(hole, t.place(i, j))
		}
		return -1, -1, text{}
	})
}

// substituted gives the value of $(…).
func (w *walker) substituted(p *syntax.CmdSubst, e *env) text {
	unknown := made(hole, w.of(p).all())
	if len(p.Stmts) != 1 {
		return unknown
	}
	s := p.Stmts[0]
	if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 1 {
		words := make([]string, 0, 4)
		for _, a := range c.Args[:min(len(c.Args), 4)] {
			words = append(words, a.Lit())
		}
		name := words[len(words)-1]
		switch words[0] {
		case "which", "command", "type":
			if base := programName(text{s: name}); base == "kubectl" || base == "oc" {
				return made(base, w.of(p).all())
			}
		}
	}
	out, ok := w.output(s, e, nil)
	if !ok {
		return unknown
	}
	return out.slice(0, len(strings.TrimRight(out.s, "\n")))
}

// writes reports whether the arguments are those of a command that writes
// whole objects.
func writes(args []text) bool {
	for _, a := range args {
		switch a.s {
		case "apply", "create", "replace":
			return true
		}
		if a.s == "--" {
			return false
		}
	}
	return false
}

// manifests notes the texts that a command writes.
func (w *walker) manifests(args []text, e *env, in *text) {
	for i, a := range args {
		name := ""
		switch {
		case (a.s == "-f" || a.s == "--filename") && i+1 < len(args):
			name = args[i+1].s
		case strings.HasPrefix(a.s, "--filename="):
			name = a.s[len("--filename="):]
		case strings.HasPrefix(a.s, "-f") && len(a.s) > 2:
			name = strings.TrimPrefix(a.s[2:], "=")
		}
		switch name {
		case "":
			continue
		case "-", "/dev/stdin":
			if in != nil {
				w.manifest(*in)
			}
		default:
			if t, ok := e.files[name]; ok {
				w.manifest(t)
			}
		}
	}
}

func (w *walker) manifest(t text) {
	if strings.Contains(t.s, "apiVersion") && len(w.file.Manifests) < maxCommands {
		w.file.Manifests = append(w.file.Manifests, Manifest{t})
	}
}
