package scripts

import (
	"slices"
	"strings"
)

// makefile reads the recipes of a Makefile. A new shell runs each line of a
// recipe.
func (r *reader) makefile(lines []text) {
	m := &makeReader{reader: r, vars: map[string]text{}}
	lines = joinContinued(lines)
	for _, line := range lines {
		m.assignment(line)
	}
	r.blocks(lines, ruleLength, func(rule []text) {
		for _, line := range rule {
			if line.s[0] == '\t' {
				m.recipe(line)
			}
		}
	})
}

// ruleLength returns the number of lines of the first rule.
func ruleLength(lines []text) int {
	n := 1
	for n < len(lines) && lines[n].s[0] == '\t' {
		n++
	}
	return n
}

// joinContinued joins each line that ends with a backslash with the next line.
func joinContinued(lines []text) []text {
	var all, parts []text
	for i, line := range lines {
		parts = append(parts, line)
		if strings.HasSuffix(line.s, "\\\n") && i+1 < len(lines) {
			continue
		}
		all = append(all, join(parts...))
		parts = nil
	}
	return all
}

// makeReader expands the variables of a Makefile.
type makeReader struct {
	*reader
	vars      map[string]text
	expanding []string // variables that are being expanded, to find recursion
}

// assignment adds a variable. Its value is unknown if it is assigned several
// times, as in the branches of a condition.
func (m *makeReader) assignment(line text) {
	name, _, ok := strings.Cut(line.s, "=")
	if !ok || strings.ContainsAny(line.s[:1], "\t#") {
		return
	}
	value := trimComment(line.slice(len(name)+1, len(line.s))).asValue()
	words := strings.Fields(strings.TrimRight(name, ":?+! \t"))
	if n := len(words); n == 0 || n > 2 || strings.ContainsAny(words[n-1], "$:(") || n == 2 && words[0] != "export" && words[0] != "override" {
		return
	}
	variable := words[len(words)-1]
	earlier, ok := m.vars[variable]
	switch {
	case ok && strings.HasSuffix(name, "+"):
		value = join(earlier, textAt(" ", value.place(0, 0)), value)
	case ok:
		value = textAt(hole, value.wholePlace())
	}
	m.vars[variable] = value
}

// trimComment removes the comment at the end of a text, and the white space
// around the text.
func trimComment(t text) text {
	s, _, _ := strings.Cut(t.s, " #")
	s = strings.TrimRight(s, " \t\n")
	return t.slice(len(s)-len(strings.TrimLeft(s, " \t")), len(s))
}

// recipe reads one line of a recipe.
func (m *makeReader) recipe(line text) {
	line = line.slice(len(line.s)-len(strings.TrimLeft(line.s, "\t @-+")), len(line.s))
	line = line.replace(func(s string, from int) (int, int, text) {
		n := strings.Index(s[from:], "\\\n\t")
		if n < 0 {
			return -1, -1, text{}
		}
		return from + n, from + n + 3, line.slice(from+n, from+n+2)
	})
	m.shell(m.expand(line))
}

// expand replaces variables of make in a text.
func (m *makeReader) expand(t text) text {
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.IndexByte(s[from:], '$')
		if n < 0 || from+n+1 >= len(s) {
			return -1, -1, text{}
		}
		i := from + n
		switch s[i+1] {
		case '$':
			return i, i + 2, t.slice(i+1, i+2)
		case '(', '{':
			if j := closingBracket(s, i+1); j > 0 {
				return i, j + 1, m.reference(t.slice(i+2, j), t.place(i, j+1))
			}
			return -1, -1, text{}
		}
		return i, i + 2, textAt(hole, t.place(i, i+2))
	})
}

// closingBracket returns the offset of the bracket that closes the bracket at
// offset at; 0 for none.
func closingBracket(s string, at int) int {
	shut := byte(')')
	if s[at] == '{' {
		shut = '}'
	}
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case s[at]:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// reference returns the value of the variable with this name. It returns a hole
// for an unknown variable and for a function. For the function shell, it also
// reads the command.
func (m *makeReader) reference(name text, p Place) text {
	if !m.spend(1) || len(m.expanding) > maxDepth || slices.Contains(m.expanding, name.s) {
		return textAt(hole, p)
	}
	if command, ok := strings.CutPrefix(name.s, "shell "); ok {
		m.shell(m.expand(name.slice(len(name.s)-len(command), len(name.s))))
		return textAt(hole, p)
	}
	value, ok := m.vars[name.s]
	if !ok || value.s == hole {
		if program := programOfVariable(name.s); program != "" {
			return textAt(program, p)
		}
		return textAt(hole, p)
	}
	m.expanding = append(m.expanding, name.s)
	t := m.expand(value)
	m.expanding = m.expanding[:len(m.expanding)-1]
	if !m.spend(len(t.s)) || len(t.s) > maxText {
		return textAt(hole, p)
	}
	return t
}
