package scripts

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fielder splits an expanded word into fields, like a shell.
type fielder struct {
	all     []text
	parts   []text // parts of the current field
	exists  bool   // the current field exists, although it may be empty
	noSplit bool   // words are not split, as in an assignment
}

func (f *fielder) add(t text) { f.parts, f.exists = append(f.parts, t), true }

func (f *fielder) end() {
	if f.exists {
		f.all = append(f.all, join(f.parts...))
		f.parts, f.exists = nil, false
	}
}

// split adds an expansion outside of quotes. An unknown expansion may be
// several words.
func (f *fielder) split(t text) {
	if f.noSplit {
		f.add(t)
		return
	}
	if t.s == hole {
		t.s = anyWords
	}
	for at := 0; at < len(t.s); {
		n := strings.IndexAny(t.s[at:], " \t\n")
		if n < 0 {
			f.add(t.slice(at, len(t.s)))
			return
		}
		if n > 0 {
			f.add(t.slice(at, at+n))
		}
		f.end()
		at += n + 1
	}
}

// fields returns the fields into which a word expands.
func (w *walker) fields(word *syntax.Word) []text {
	var f fielder
	w.expand(&f, word)
	return f.all
}

// unsplit returns the expansion of a word that is not split.
func (w *walker) unsplit(word *syntax.Word) text {
	f := fielder{noSplit: true}
	w.expand(&f, word)
	t := join(f.all...)
	t.s = strings.ReplaceAll(t.s, anyWords, hole)
	return t
}

func (w *walker) expand(f *fielder, word *syntax.Word) {
	if word == nil || !w.spend(1) {
		return
	}
	for _, part := range word.Parts {
		w.part(f, part, false)
	}
	f.end()
	for _, t := range f.all {
		w.work += len(t.s)
	}
}

// part expands one part of a word. quoted is true inside double quotes, where
// an expansion is not split.
func (w *walker) part(f *fielder, part syntax.WordPart, quoted bool) {
	add := f.split
	if quoted {
		add = f.add
	}
	switch p := part.(type) {
	case *syntax.Lit:
		w.literal(f, p, quoted)
	case *syntax.SglQuoted:
		f.add(w.singleQuoted(p))
	case *syntax.DblQuoted:
		f.exists = f.exists || len(p.Parts) != 1 || !isList(p.Parts[0])
		for _, inner := range p.Parts {
			w.part(f, inner, true)
		}
	case *syntax.ParamExp:
		if isList(p) {
			w.list(f, p, quoted)
			return
		}
		add(w.parameter(p))
	case *syntax.CmdSubst:
		add(w.commandOutput(p))
	default:
		add(textAt(hole, w.sourceOf(part).wholePlace()))
	}
}

func (w *walker) literal(f *fielder, p *syntax.Lit, quoted bool) {
	t := w.sourceOf(p)
	switch {
	case quoted:
		f.add(unescape(t, "$`\"\\\n"))
	case t.s == hole:
		f.split(t) // a template replaces it
	default:
		f.add(unescape(t, ""))
	}
}

func (w *walker) singleQuoted(p *syntax.SglQuoted) text {
	t := w.sourceOf(p)
	skip := strings.IndexByte(t.s, '\'') + 1
	t = t.slice(skip, max(skip, len(t.s)-1))
	if p.Dollar && strings.Contains(t.s, `\`) {
		return textAt(hole, t.wholePlace())
	}
	return t
}

// unescape removes the backslashes before the characters in special, or before
// all characters if special is empty. After a backslash, a line feed is removed
// too.
func unescape(t text, special string) text {
	return t.replace(func(s string, from int) (int, int, text) {
		for i := from; i+1 < len(s); i++ {
			switch {
			case s[i] != '\\':
			case s[i+1] == '\n':
				return i, i + 2, text{}
			case special == "", strings.IndexByte(special, s[i+1]) >= 0:
				return i, i + 2, t.slice(i+1, i+2)
			default:
				i++
			}
		}
		return -1, -1, text{}
	})
}

// isList reports whether a part expands to a list of words: $@, $* or an array.
func isList(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Length {
		return false
	}
	index, _ := p.Index.(*syntax.Word)
	return p.Param.Value == "@" || p.Param.Value == "*" || index != nil && (index.Lit() == "@" || index.Lit() == "*")
}

// list expands $@, $* and ${@:n}. The words of an array are unknown.
func (w *walker) list(f *fielder, p *syntax.ParamExp, quoted bool) {
	values, from := w.params, 1
	if p.Slice != nil {
		word, ok := p.Slice.Offset.(*syntax.Word)
		if from = 0; ok && p.Slice.Length == nil {
			from, _ = strconv.Atoi(word.Lit())
		}
	}
	if values == nil || from < 1 || p.Exp != nil || p.Index != nil {
		values, from = []text{textAt(anyWords, w.sourceOf(p).wholePlace())}, 1
	}
	values = values[min(from-1, len(values)):]
	for i, v := range values {
		switch {
		case i == 0:
		case f.noSplit, quoted && p.Param.Value == "*":
			f.add(textAt(" ", v.place(0, 0)))
		default:
			f.end()
		}
		if quoted {
			f.add(v)
		} else {
			f.split(v)
		}
	}
}

// parameter returns the value of a parameter expansion.
func (w *walker) parameter(p *syntax.ParamExp) text {
	unknown := textAt(hole, w.sourceOf(p).wholePlace())
	if p.Param == nil || p.Excl || p.Length || p.Width || p.IsSet || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Names != 0 {
		return unknown
	}
	value, set := w.value(p.Param.Value)
	if p.Exp == nil {
		if set && value.s != hole {
			return value
		}
		if program := programOfVariable(p.Param.Value); program != "" {
			return textAt(program, w.sourceOf(p).wholePlace()) // KUBECTL=$(which kubectl)
		}
		return unknown
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if set && value.s != "" {
			return value
		}
		return w.unsplit(p.Exp.Word)
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if set && value.s == "" {
			return text{}
		}
		return w.unsplit(p.Exp.Word)
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if set {
			return value
		}
	}
	return unknown
}

// value returns the value of a variable or of a positional parameter. set is
// false if the text does not assign it.
func (w *walker) value(name string) (value text, set bool) {
	if values := w.vars[name]; len(values) > 0 {
		return values[min(w.valueIndex, len(values)-1)], true
	}
	n, err := strconv.Atoi(name)
	if err != nil || n < 1 || w.params == nil {
		return text{}, false
	}
	for i, p := range w.params {
		if p.s == anyWords {
			return text{}, false
		}
		if i == n-1 {
			return p, true
		}
	}
	return text{}, true
}

// programOfVariable returns the program that a variable is named after, such as
// kubectl for $KUBECTL. The variable is set in a Makefile, another script or
// the environment.
func programOfVariable(name string) string {
	switch strings.ToLower(name) {
	case "kubectl", "kubectl_bin", "kubectl_cmd", "kubectl_path":
		return "kubectl"
	case "oc", "oc_bin", "oc_cmd":
		return "oc"
	}
	return ""
}
