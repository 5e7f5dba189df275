package scripts

import (
	"maps"
	"slices"
	"strings"
)

// makefile reads the recipes of a Makefile.
func (r *reader) makefile(t text) {
	m := &makeReader{reader: r, vars: map[string][]text{}}
	lines := logical(t)
	m.define(lines)
	outer := r.told
	defer func() { r.told = outer }()
	var recipe []text // of the rule at hand, for .ONESHELL
	oneShell := strings.Contains(t.s, ".ONESHELL")
	flush := func() {
		if len(recipe) > 0 {
			var j joiner
			for _, line := range recipe {
				j.add(line)
			}
			m.recipe(j.text())
			recipe = nil
		}
	}
	inRule, define := false, false
	for i, line := range lines {
		trimmed := strings.TrimSpace(line.s)
		switch {
		case define:
			define = trimmed != "endef"
		case strings.HasPrefix(line.s, "define "):
			define = true
		case strings.HasPrefix(line.s, "\t") && inRule:
			body := unprefixed(line)
			if oneShell {
				recipe = append(recipe, body)
				continue
			}
			m.recipe(body)
		case trimmed == "":
		case strings.HasPrefix(trimmed, "#"):
			if c, ok := lineComment(line); ok {
				c.Head = !r.told
				c.From, c.To = m.covered(lines[i+1:])
				r.file.Comments = append(r.file.Comments, c)
			}
			continue
		case directive(trimmed):
		default:
			flush()
			_, own, isRule := rule(line)
			inRule = isRule
			if isRule && own.s != "" {
				m.recipe(own)
			}
		}
		r.told = true
	}
	flush()
}

// makeReader knows the variables of a Makefile.
type makeReader struct {
	*reader
	vars map[string][]text // the values that are assigned
	busy []string          // the variables on the way
	alt  int               // which of several values is taken
	most int               // how many values a variable has at most
}

// logical cuts a text into lines, each with those that continue it.
func logical(t text) []text {
	var all []text
	var cur text
	for _, line := range t.lines() {
		cur = cur.plus(line)
		body := strings.TrimSuffix(line.s, "\n")
		if n := len(body) - len(strings.TrimRight(body, `\`)); n%2 == 1 {
			continue
		}
		all = append(all, cur)
		cur = text{}
	}
	if cur.s != "" {
		all = append(all, cur)
	}
	return all
}

// covered gives what a comment between rules is about: the next line, and if
// that is a rule its recipe.
func (m *makeReader) covered(rest []text) (from, to int) {
	for i, line := range rest {
		trimmed := strings.TrimSpace(line.s)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		p := line.all()
		if _, _, ok := rule(line); ok && !strings.HasPrefix(line.s, "\t") {
			for _, below := range rest[i+1:] {
				if s := strings.TrimSpace(below.s); strings.HasPrefix(below.s, "\t") || s == "" || strings.HasPrefix(s, "#") {
					if strings.HasPrefix(below.s, "\t") {
						p.End = below.all().End
					}
					continue
				}
				break
			}
		}
		return p.Start, p.End - 1
	}
	return 0, 0
}

// lineComment gives a suppression that has a line of its own.
func lineComment(line text) (Comment, bool) {
	n := strings.IndexByte(line.s, '#')
	if n < 0 || !strings.HasPrefix(strings.TrimLeft(line.s[n:], "# \t"), Mark) {
		return Comment{}, false
	}
	c := line.slice(n, len(strings.TrimRight(line.s, "\n")))
	return Comment{Text: c.s, At: c.all()}, true
}

// unprefixed takes from a recipe's line what make itself reads.
func unprefixed(line text) text {
	var j joiner
	for i, part := range line.lines() {
		cut := 0
		if strings.HasPrefix(part.s, "\t") {
			cut = 1
		}
		if i == 0 {
			cut = len(part.s) - len(strings.TrimLeft(part.s, "\t @-+"))
		}
		j.add(part.slice(cut, len(part.s)))
	}
	return j.text()
}

// directive reports whether a line is for make alone.
func directive(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "include", "-include", "sinclude", "endef", "undefine", "vpath":
		return !strings.Contains(line, ":=")
	}
	return false
}

// assignment splits a line that assigns a variable.
func assignment(line text) (name, op string, value text, ok bool) {
	s := line.s
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		case '#', '\n':
			return "", "", text{}, false
		case '=':
			if depth > 0 {
				continue
			}
			end := i
			for end > 0 && strings.IndexByte(":?+!", s[end-1]) >= 0 {
				end--
			}
			name = strings.TrimSpace(s[:end])
			for _, word := range []string{"export ", "override ", "private "} {
				name = strings.TrimSpace(strings.TrimPrefix(name, word))
			}
			if name == "" || strings.ContainsAny(name, " \t:$\"'") {
				return "", "", text{}, false
			}
			return name, s[end : i+1], trimText(line.slice(i+1, len(s))), true
		case ':':
			if depth == 0 && (i+1 >= len(s) || strings.IndexByte("=:", s[i+1]) < 0) {
				return "", "", text{}, false
			}
		}
	}
	return "", "", text{}, false
}

// trimText takes the white space from both ends, and a comment behind.
func trimText(t text) text {
	end := len(t.s)
	if n := strings.Index(t.s, " #"); n >= 0 {
		end = n
	}
	start := len(t.s) - len(strings.TrimLeft(t.s, " \t\n"))
	return t.slice(start, max(start, len(strings.TrimRight(t.s[:end], " \t\n"))))
}

// rule splits a rule into its targets and the recipe behind a semicolon.
func rule(line text) (targets string, recipe text, ok bool) {
	depth := 0
	colon := -1
	for i := 0; i < len(line.s); i++ {
		switch line.s[i] {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		case '#':
			if depth == 0 {
				return line.s[:max(colon, 0)], text{}, colon >= 0
			}
		case ':':
			if depth == 0 && colon < 0 {
				colon = i
			}
		case ';':
			if depth == 0 && colon >= 0 {
				return line.s[:colon], line.slice(i+1, len(line.s)), true
			}
		}
	}
	return line.s[:max(colon, 0)], text{}, colon >= 0
}

// define reads the variables.
func (m *makeReader) define(lines []text) {
	for _, line := range lines {
		if strings.HasPrefix(line.s, "\t") || strings.HasPrefix(strings.TrimSpace(line.s), "#") {
			continue
		}
		at := line
		if targets, _, ok := rule(line); ok {
			// target: NAME = value
			if n := len(targets) + 1; !strings.HasPrefix(line.s[min(n, len(line.s)):], "=") && !strings.HasPrefix(line.s[min(n, len(line.s)):], ":=") && !strings.HasPrefix(line.s[min(n, len(line.s)):], ":") {
				at = line.slice(n, len(line.s))
			}
		}
		name, op, value, ok := assignment(at)
		if !ok {
			continue
		}
		value = value.keep()
		all := m.vars[name]
		if op == "+=" {
			if len(all) == 0 {
				all = []text{{}}
			}
			for i := range all {
				all[i] = all[i].plus(made(" ", value.place(0, 0))).plus(value)
			}
		} else if len(all) < maxAlts {
			all = append(all, value)
		}
		m.vars[name] = all
	}
	for _, name := range slices.Sorted(maps.Keys(m.vars)) {
		m.most = max(m.most, len(m.vars[name]))
	}
}

// recipe reads what one shell of a recipe gets.
func (m *makeReader) recipe(t text) {
	for m.alt = 0; m.alt < max(1, m.most); m.alt++ {
		if m.alt > 0 && !m.varies(t.s) {
			break
		}
		if !m.step() {
			return
		}
		m.shell(m.expand(t, 0), nil)
	}
}

// varies reports whether a text may differ by the values that are taken.
func (m *makeReader) varies(s string) bool {
	return strings.Contains(s, "$(") || strings.Contains(s, "${")
}

// expand replaces the variables of make.
func (m *makeReader) expand(t text, depth int) text {
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.IndexByte(s[from:], '$')
		if n < 0 || from+n+1 >= len(s) {
			return -1, -1, text{}
		}
		i := from + n
		switch c := s[i+1]; c {
		case '$':
			return i, i + 2, t.slice(i+1, i+2)
		case '(', '{':
			j := closing(s, i+1)
			if j < 0 {
				return -1, -1, text{}
			}
			return i, j + 1, m.reference(t.slice(i+2, j), t.place(i, j+1), depth)
		default:
			return i, i + 2, m.reference(t.slice(i+1, i+2), t.place(i, i+2), depth)
		}
	})
}

// closing finds the bracket that closes the one at an offset.
func closing(s string, at int) int {
	open := s[at]
	shut := byte(')')
	if open == '{' {
		shut = '}'
	}
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// reference gives what a reference to a variable or a function becomes.
func (m *makeReader) reference(name text, place Place, depth int) text {
	unknown := made(masked, place)
	if depth > maxDepth || !m.step() {
		return unknown
	}
	if command, ok := strings.CutPrefix(name.s, "shell "); ok {
		told := m.told
		m.told = true
		m.shell(m.expand(name.slice(len(name.s)-len(command), len(name.s)), depth+1), nil)
		m.told = told
		return unknown
	}
	values := m.vars[name.s]
	if slices.Contains(m.busy, name.s) {
		return unknown
	}
	if len(values) == 0 {
		if usual, ok := byName(name.s); ok {
			return made(usual, place)
		}
		return unknown
	}
	m.busy = append(m.busy, name.s)
	out := m.expand(values[min(m.alt, len(values)-1)], depth+1)
	m.busy = m.busy[:len(m.busy)-1]
	if len(out.s) > maxText {
		return unknown
	}
	return out
}
