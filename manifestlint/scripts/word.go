package scripts

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// world chooses one of the values of each variable that has several.
type world map[string]int

// worlds gives the combinations of the values of the variables that nodes
// mention.
func (w *walker) worlds(e *env, nodes ...syntax.Node) []world {
	all := []world{nil}
	seen := map[string]bool{}
	for _, n := range nodes {
		syntax.Walk(n, func(n syntax.Node) bool {
			if _, ok := n.(*syntax.CmdSubst); ok {
				return false
			}
			p, ok := n.(*syntax.ParamExp)
			if !ok || p.Param == nil || seen[p.Param.Value] {
				return true
			}
			name := p.Param.Value
			seen[name] = true
			v := e.vars[name]
			if v == nil || len(v.alts) < 2 || len(all)*len(v.alts) > maxWorlds {
				return true
			}
			var more []world
			for _, before := range all {
				for i := range v.alts {
					next := world{name: i}
					for k, n := range before {
						next[k] = n
					}
					more = append(more, next)
				}
			}
			all = more
			return true
		})
	}
	return all
}

// fielder makes the words that a shell makes of one: see Word Splitting.
type fielder struct {
	all []text
	cur text
	has bool
}

func (f *fielder) whole(t text) { f.cur, f.has = f.cur.plus(t), true }

func (f *fielder) end() {
	if f.has {
		f.all = append(f.all, f.cur)
		f.cur, f.has = text{}, false
	}
}

// split adds a text that is split at white space.
func (f *fielder) split(t text) {
	for at := 0; at < len(t.s); {
		n := strings.IndexAny(t.s[at:], " \t\n")
		if n < 0 {
			f.whole(t.slice(at, len(t.s)))
			return
		}
		if n > 0 {
			f.whole(t.slice(at, at+n))
		}
		f.end()
		at += n + 1
	}
}

// fields gives the words that a word becomes.
func (w *walker) fields(word *syntax.Word, e *env, choice world) []text {
	if word == nil || !w.step() {
		return nil
	}
	var f fielder
	for _, part := range word.Parts {
		w.part(&f, part, e, choice)
	}
	f.end()
	for _, t := range f.all {
		w.copied += t.cost()
	}
	return f.all
}

// single gives what a word is where it is not split, as in an assignment.
func (w *walker) single(word *syntax.Word, e *env) text { return w.join(word, e, nil) }

func (w *walker) join(word *syntax.Word, e *env, choice world) text {
	if word == nil || !w.step() {
		return text{}
	}
	var j joiner
	for _, part := range word.Parts {
		w.quoted(&j, part, e, choice, false)
	}
	t := strip(j.text())
	w.copied += t.cost()
	return t
}

// strip makes a text one that has no words of unknown number in it.
func strip(t text) text {
	if strings.Contains(t.s, anyWords) {
		t.s = strings.ReplaceAll(t.s, anyWords, hole)
	}
	return t
}

func (w *walker) part(f *fielder, part syntax.WordPart, e *env, choice world) {
	switch p := part.(type) {
	case *syntax.Lit:
		f.whole(unescape(w.of(p), ""))
	case *syntax.SglQuoted:
		f.whole(w.single0(p))
	case *syntax.DblQuoted:
		w.doubleQuoted(f, p, e, choice)
	case *syntax.ParamExp:
		values, list := w.parameter(p, e, choice)
		if list {
			for i, v := range values {
				if i > 0 {
					f.end()
				}
				f.split(v)
			}
			return
		}
		for _, v := range values {
			f.split(unquotedHoles(v))
		}
	case *syntax.CmdSubst:
		f.split(unquotedHoles(w.substituted(p, e)))
	default:
		f.whole(made(anyWords, w.of(part).all()))
	}
}

// unquotedHoles makes a value that is wholly unknown one that may be any
// number of words.
func unquotedHoles(t text) text {
	if t.s == hole {
		t.s = anyWords
	}
	return t
}

func (w *walker) doubleQuoted(f *fielder, p *syntax.DblQuoted, e *env, choice world) {
	f.has = true
	for _, part := range p.Parts {
		if param, ok := part.(*syntax.ParamExp); ok {
			values, list := w.parameter(param, e, choice)
			if list && at(param) {
				if len(values) == 0 && len(p.Parts) == 1 {
					f.has = f.cur.s != ""
				}
				for i, v := range values {
					if i > 0 {
						f.end()
					}
					f.whole(v)
				}
				continue
			}
			f.whole(spaced(values))
			continue
		}
		var j joiner
		w.quoted(&j, part, e, choice, true)
		f.whole(j.text())
	}
}

// at reports whether a parameter is "$@" or "${x[@]}" rather than with a star.
func at(p *syntax.ParamExp) bool {
	if p.Param != nil && p.Param.Value == "@" {
		return true
	}
	if word, ok := p.Index.(*syntax.Word); ok {
		return word.Lit() == "@"
	}
	return false
}

// spaced joins texts as "$*" does.
func spaced(all []text) text {
	var j joiner
	for i, t := range all {
		if i > 0 {
			j.add(made(" ", t.place(0, 0)))
		}
		j.add(t)
	}
	return j.text()
}

// quoted adds what a part is where nothing is split.
func (w *walker) quoted(j *joiner, part syntax.WordPart, e *env, choice world, within bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		special := ""
		if within {
			special = "$`\"\\\n"
		}
		j.add(unescape(w.of(p), special))
	case *syntax.SglQuoted:
		j.add(w.single0(p))
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			w.quoted(j, inner, e, choice, true)
		}
	case *syntax.ParamExp:
		values, _ := w.parameter(p, e, choice)
		j.add(spaced(values))
	case *syntax.CmdSubst:
		j.add(w.substituted(p, e))
	default:
		j.add(made(hole, w.of(part).all()))
	}
}

// single0 gives the text in single quotes.
func (w *walker) single0(p *syntax.SglQuoted) text {
	t := w.cut(p.Left, p.End())
	skip := 1
	if p.Dollar {
		skip = 2
	}
	t = t.slice(skip, len(t.s)-1)
	if p.Dollar && strings.Contains(t.s, `\`) {
		return made(hole, t.all())
	}
	return unmask(t)
}

// unescape takes the backslashes out of a literal. special are the characters
// that they protect; empty stands for all.
func unescape(t text, special string) text {
	if !strings.Contains(t.s, `\`) {
		return unmask(t)
	}
	return t.replace(func(s string, from int) (int, int, text) {
		for i := from; i+1 < len(s); i++ {
			if s[i] != '\\' {
				continue
			}
			if s[i+1] == '\n' {
				return i, i + 2, text{}
			}
			if special == "" || strings.IndexByte(special, s[i+1]) >= 0 {
				return i, i + 2, t.slice(i+1, i+2)
			}
			i++
		}
		return -1, -1, text{}
	})
}

// parameter gives the value of a parameter. A list has any number of values,
// which stay apart.
func (w *walker) parameter(p *syntax.ParamExp, e *env, choice world) (values []text, list bool) {
	place := w.of(p).all()
	unknown := []text{made(hole, place)}
	if p.Param == nil || p.Excl || p.Length || p.Width || p.IsSet || p.Repl != nil || p.Names != 0 || p.Flags != nil || len(p.Modifiers) > 0 {
		return unknown, false
	}
	name := p.Param.Value
	values, list, set := w.value(name, p, e, choice, place)
	switch {
	case p.Slice != nil:
		from, ok := number(p.Slice.Offset)
		if !list || !ok || p.Slice.Length != nil || !set || len(values) == 1 && values[0].s == anyWords {
			return []text{made(anyWords, place)}, true
		}
		if name == "@" || name == "*" {
			from--
		}
		return values[min(max(from, 0), len(values)):], true
	case p.Exp == nil:
		if !set {
			if usual, ok := byName(name); ok {
				return []text{made(usual, place)}, false
			}
			return values, list
		}
		return values, list
	}
	empty := set && (len(values) == 0 || len(values) == 1 && values[0].s == "")
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if set && !empty {
			return values, list
		}
		t := w.join(p.Exp.Word, e, choice)
		if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
			e.vars[name] = &variable{alts: [][]text{{t.keep()}}, open: true}
		}
		return []text{t}, false
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if empty {
			return nil, false
		}
		if p.Exp.Word != nil && (name == "@" || list) {
			return []text{made(anyWords, place)}, true
		}
		return []text{w.join(p.Exp.Word, e, choice)}, false
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return values, list
	}
	return unknown, false
}

// value looks a parameter up; set reports whether something is known of it.
func (w *walker) value(name string, p *syntax.ParamExp, e *env, choice world, place Place) (values []text, list, set bool) {
	switch {
	case name == "@" || name == "*":
		if !e.known {
			return []text{made(anyWords, place)}, true, false
		}
		return e.params, true, true
	case name[0] >= '0' && name[0] <= '9':
		n, err := strconv.Atoi(name)
		if err != nil || n == 0 || !e.known {
			return []text{made(hole, place)}, false, false
		}
		for _, p := range e.params[:min(n, len(e.params))] {
			if p.s == anyWords {
				return []text{made(hole, place)}, false, false
			}
		}
		if n > len(e.params) {
			return nil, false, true
		}
		return e.params[n-1 : n], false, true
	}
	v := e.vars[name]
	if v == nil {
		list := at(p) || star(p)
		if list {
			return []text{made(anyWords, place)}, true, false
		}
		return []text{made(hole, place)}, false, false
	}
	value := v.alts[min(choice[name], len(v.alts)-1)]
	if p.Index == nil {
		if len(value) == 0 {
			return nil, false, true
		}
		return value[:1], false, true
	}
	if at(p) || star(p) {
		if len(value) == 1 && value[0].s == hole {
			return []text{made(anyWords, place)}, true, false
		}
		return value, true, true
	}
	if n, ok := number(p.Index); ok && n >= 0 && n < len(value) {
		return value[n : n+1], false, true
	}
	return []text{made(hole, place)}, false, false
}

func star(p *syntax.ParamExp) bool {
	word, ok := p.Index.(*syntax.Word)
	return ok && word.Lit() == "*"
}

// number gives the value of an expression that is a number.
func number(x syntax.ArithmExpr) (int, bool) {
	word, ok := x.(*syntax.Word)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(word.Lit())
	return n, err == nil
}

// byName gives the program that a variable is called after, which a Makefile, a
// library or the environment sets.
func byName(name string) (string, bool) {
	switch strings.ToLower(name) {
	case "kubectl", "kubectl_bin", "kubectl_binary", "kubectl_cmd", "kubectl_command", "kubectl_path", "kubectl_exe":
		return "kubectl", true
	case "oc", "oc_bin", "oc_cmd", "oc_binary":
		return "oc", true
	}
	return "", false
}
