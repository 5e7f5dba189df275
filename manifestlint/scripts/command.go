package scripts

import (
	"path"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/kubectl"
	"mvdan.cc/sh/v3/syntax"
)

// simpleCommand evaluates a simple command, once for each value of its
// variables.
func (w *walker) simpleCommand(c *syntax.CallExpr, in *text) {
	w.substitutions(c)
	if len(c.Args) == 0 {
		w.assign(c.Assigns)
		return
	}
	for choice := range w.valueCount(c) {
		w.valueIndex = choice
		words := w.words(c)
		w.valueIndex = 0
		w.runCommand(words, in)
	}
}

func (w *walker) words(c *syntax.CallExpr) []text {
	var words []text
	for _, word := range c.Args {
		words = append(words, w.fields(word)...)
	}
	return words
}

// runCommand evaluates a command with these words. in is its standard input;
// nil if unknown.
func (w *walker) runCommand(words []text, in *text) {
	if len(words) == 0 || !w.spend(len(words)) {
		return
	}
	first := words[0].s
	if f := w.funcs[first]; f != nil && !f.running {
		w.callFunction(f, words[1:], in)
		return
	}
	name := programName(words[0])
	if p := kubectl.ProgramOf(name); p != 0 {
		w.addCall(p, words[1:], in)
		return
	}
	switch {
	case first == "eval":
		w.nestedScript(joinWords(words[1:]))
	case first == "shift" && len(w.params) > 0 && w.params[0].s != anyWords:
		w.params = w.params[1:]
	case first == "shift", first == "set":
		w.params = nil
	case isShell(name):
		if t, ok := shellText(words[1:]); ok {
			w.nestedScript(t)
		}
	case runsArguments(name):
		w.runCommand(wrappedCommand(words[1:]), in)
	}
}

// callFunction evaluates the body of a function. params are its arguments; nil
// if unknown.
func (w *walker) callFunction(f *function, params []text, in *text) {
	f.called = true
	if w.depth >= maxDepth {
		return
	}
	src, outer := w.src, w.params
	f.running, w.src, w.params = true, w.functionsText, slices.Clone(params)
	w.depth++
	w.statement(f.body, in)
	w.depth--
	f.running, w.src, w.params = false, src, outer
}

// nestedScript evaluates a text that a command runs as a script.
func (w *walker) nestedScript(t text) {
	if w.depth >= maxDepth {
		return
	}
	file := parse(t.s)
	if file == nil {
		return
	}
	src := w.src
	w.src = t
	w.depth++
	w.inSubshell(func() { w.statements(file.Stmts, nil) })
	w.depth--
	w.src = src
}

// programName returns the base name of a program; "" if unknown.
func programName(t text) string {
	if strings.HasSuffix(t.s, hole) || strings.HasSuffix(t.s, anyWords) {
		return ""
	}
	return path.Base(t.s)
}

// shellText returns the script after a shell's option -c, as in "bash -euo
// pipefail -c TEXT".
func shellText(args []text) (text, bool) {
	command := false
	for _, a := range args {
		switch {
		case strings.HasPrefix(a.s, "-"), strings.HasPrefix(a.s, "+"):
			command = command || strings.HasPrefix(a.s, "-") && !strings.HasPrefix(a.s, "--") && strings.Contains(a.s, "c")
		case a.s == "pipefail":
		default:
			return a, command
		}
	}
	return text{}, false
}

// runsArguments reports whether a program or function with this name may run
// its arguments as a command, such as sudo, or an unknown program as in "$SUDO
// kubectl".
func runsArguments(name string) bool {
	switch name {
	case "", "sudo", "env", "time", "timeout", "nohup", "command", "xargs", "watch":
		return true
	}
	for _, word := range []string{"run", "exec", "retry", "wait", "until", "assert", "expect"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// wrappedCommand returns the command in the arguments of another command. It
// begins with the first word that is kubectl, oc or a shell with a script.
func wrappedCommand(words []text) []text {
	for i, word := range words {
		name := programName(word)
		if kubectl.ProgramOf(name) != 0 {
			return words[i:]
		}
		if isShell(name) {
			if _, ok := shellText(words[i+1:]); ok {
				return words[i:]
			}
		}
		if name == "echo" || name == "grep" {
			return nil
		}
	}
	return nil
}

// addCall adds a call of kubectl or oc.
func (w *walker) addCall(p kubectl.Program, args []text, in *text) {
	c := Command{Program: p, Path: w.path}
	for _, a := range args {
		at := a.wholePlace()
		versioned := slices.ContainsFunc(w.versionChecks, func(v Place) bool { return at.Start >= v.Start && at.End <= v.End })
		c.Args, c.At, c.Versioned = append(c.Args, argument(a)), append(c.At, at), append(c.Versioned, versioned)
	}
	if slices.ContainsFunc(c.Args, dryRunFlag) && len(w.file.Commands) < maxFound {
		w.file.Commands = append(w.file.Commands, c)
	}
	if in != nil && appliesInput(args) && strings.Contains(in.s, "apiVersion") && len(w.file.Manifests) < maxFound {
		w.file.Manifests = append(w.file.Manifests, Manifest{*in})
	}
}

func argument(t text) kubectl.Arg {
	if t.s == anyWords {
		return kubectl.Arg{Many: true}
	}
	if n := strings.IndexAny(t.s, unknown); n >= 0 {
		return kubectl.Arg{Text: t.s[:n], Open: true}
	}
	return kubectl.Arg{Text: t.s}
}

// appliesInput reports whether kubectl applies the objects in its standard
// input.
func appliesInput(args []text) bool {
	writes, reads := false, false
	for i, a := range args {
		switch a.s {
		case "apply", "create", "replace":
			writes = true
		case "-f-", "--filename=-":
			reads = true
		case "-":
			reads = reads || i > 0 && (args[i-1].s == "-f" || args[i-1].s == "--filename")
		}
	}
	return writes && reads
}
