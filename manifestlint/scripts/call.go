package scripts

import (
	"path"
	"strings"

	"github.com/kubevet/kubevet/rules/kubectl"
	"mvdan.cc/sh/v3/syntax"
)

// call follows a simple command.
func (w *walker) call(c *syntax.CallExpr, e *env, in *text) {
	for _, word := range c.Args {
		w.substitutions(word, e)
	}
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			w.assign(a, e)
		}
		return
	}
	for _, a := range c.Assigns {
		if a.Value != nil {
			w.substitutions(a.Value, e)
		}
	}
	nodes := make([]syntax.Node, len(c.Args))
	for i, word := range c.Args {
		nodes[i] = word
	}
	for _, choice := range w.worlds(e, nodes...) {
		var words []text
		for _, word := range c.Args {
			words = append(words, w.fields(word, e, choice)...)
			if len(words) > maxWords {
				return
			}
		}
		w.run(words, e, in, 0)
	}
}

// run follows a command by its words.
func (w *walker) run(words []text, e *env, in *text, depth int) {
	if len(words) == 0 || depth > maxDepth || !w.step() {
		return
	}
	first := words[0].s
	if !words[0].holed() {
		if f := w.funcs[first]; f != nil && !f.active {
			w.functionBody(f, e, words[1:], in)
			return
		}
		if a, ok := e.aliases[first]; ok && depth < 3 {
			w.run(append(a.words(), words[1:]...), e, in, depth+1)
			return
		}
	}
	name := programName(words[0])
	if p := kubectl.ProgramOf(name); p != 0 {
		w.program(p, words[1:], e, in, depth)
		return
	}
	if w.builtin(first, words, e) {
		return
	}
	if shellName(name) || name == "su" || name == "runuser" {
		if t, ok := shellText(words[1:]); ok {
			w.within(t, e.clone(), in)
			return
		}
		if shellName(name) {
			if len(words) == 1 || len(words) == 2 && (words[1].s == "-s" || words[1].s == "-") {
				if in != nil {
					w.within(*in, e.clone(), nil) // bash <<EOF
				}
			}
			return
		}
	}
	if rest := w.prefixed(name, words); rest != nil {
		w.run(rest, e, in, depth+1)
	}
}

// functionBody follows the body of a function that is called with arguments.
// Words of unknown number are handed on as they are.
func (w *walker) functionBody(f *function, e *env, params []text, in *text) {
	outer, known := e.params, e.known
	e.params, e.known = params, true
	w.body(f, e, in)
	e.params, e.known = outer, known
}

// body follows the body of a function.
func (w *walker) body(f *function, e *env, in *text) {
	f.called = true
	if f.active || w.depth >= maxDepth || !w.step() {
		return
	}
	src := w.src
	f.active = true
	w.depth++
	w.src = f.src
	w.statement(f.body, e, in)
	w.src = src
	w.depth--
	f.active = false
}

// programName is the base name of the file that a word names.
func programName(t text) string {
	s := t.s
	if strings.HasSuffix(s, hole) || strings.HasSuffix(s, anyWords) {
		return ""
	}
	return path.Base(s)
}

// words cuts a text at white space.
func (t text) words() []text {
	var f fielder
	f.split(t)
	f.end()
	return f.all
}

// builtin follows the commands that change what is known. It reports whether
// the command is one that runs nothing else.
func (w *walker) builtin(name string, words []text, e *env) bool {
	switch name {
	case "eval":
		w.within(spaced(words[1:]), e, nil)
	case "set":
		for i, word := range words[1:] {
			if word.s == "--" {
				e.params, e.known = words[i+2:], true
				break
			}
		}
	case "shift":
		switch {
		case !e.known:
		case len(words) == 1 && len(e.params) > 0 && e.params[0].s != anyWords:
			e.params = e.params[1:]
		default:
			e.params, e.known = nil, false
		}
	case "alias":
		for _, word := range words[1:] {
			if n := strings.IndexByte(word.s, '='); n > 0 {
				e.aliases[word.s[:n]] = word.slice(n+1, len(word.s)).keep()
			}
		}
	case "read", "mapfile", "readarray", "getopts", "unset":
		for _, word := range words[1:] {
			if !strings.HasPrefix(word.s, "-") {
				if name == "unset" {
					delete(e.vars, word.s)
				} else {
					e.vars[word.s] = unknownVariable()
				}
			}
		}
	case "printf":
		if len(words) > 2 && words[1].s == "-v" {
			e.vars[words[2].s] = unknownVariable()
		}
	case "export", "local", "declare", "typeset", "readonly":
		for _, word := range words[1:] {
			if n := strings.IndexByte(word.s, '='); n > 0 {
				e.vars[word.s[:n]] = &variable{alts: [][]text{{word.slice(n+1, len(word.s)).keep()}}}
			}
		}
	case ":", "true", "false", "echo", "test", "[", "exit", "return", "cd", "source", ".", "trap", "grep", "cat":
	default:
		return false
	}
	return true
}

// shellText finds the text that a shell runs: the argument behind -c.
func shellText(args []text) (text, bool) {
	for i, a := range args {
		switch {
		case a.s == "--":
			return text{}, false
		case strings.HasPrefix(a.s, "-") && !strings.HasPrefix(a.s, "--") && strings.Contains(a.s, "c") && i+1 < len(args):
			// -euo pipefail -c TEXT, and -c -e TEXT
			for _, t := range args[i+1:] {
				if !strings.HasPrefix(t.s, "-") && !strings.HasPrefix(t.s, "+") && t.s != "pipefail" {
					return t, true
				}
			}
			return text{}, false
		case a.s == "--command" && i+1 < len(args):
			return args[i+1], true
		}
	}
	return text{}, false
}

// program follows a call of kubectl or oc.
func (w *walker) program(p kubectl.Program, args []text, e *env, in *text, depth int) {
	c := Command{Program: p, Args: make([]kubectl.Arg, len(args)), At: make([]Place, len(args)), Versioned: make([]bool, len(args))}
	judged := false
	for i, a := range args {
		c.Args[i], c.At[i] = argument(a), a.all()
		judged = judged || strings.HasPrefix(a.s, "--dry-run") || strings.HasPrefix(a.s, "--server-dry-run")
		for _, v := range w.versioned {
			if c.At[i].Start >= v.Start && c.At[i].End <= v.End {
				c.Versioned[i] = true
			}
		}
		if a.s == "--" && i > 0 {
			w.run(args[i+1:], e.clone(), nil, depth+1) // kubectl exec POD -- kubectl …
			break
		}
	}
	if judged && len(w.file.Commands) < maxCommands {
		w.file.Commands = append(w.file.Commands, c)
	}
	if writes(args) {
		w.manifests(args, e, in)
	}
}

// argument gives a word as an argument of kubectl.
func argument(t text) kubectl.Arg {
	if t.s == anyWords {
		return kubectl.Arg{Many: true}
	}
	if n := strings.IndexAny(t.s, hole+anyWords); n >= 0 {
		return kubectl.Arg{Text: t.s[:n], Open: true}
	}
	return kubectl.Arg{Text: t.s}
}
