package scripts

import "strings"

// justfile reads the recipes of a Justfile.
func (r *reader) justfile(t text) {
	outer := r.told
	defer func() { r.told = outer }()
	vars := map[string]text{}
	var body []text
	flush := func() {
		r.justRecipe(body, vars)
		body = nil
	}
	lines := logical(t)
	for i, line := range lines {
		trimmed := strings.TrimSpace(line.s)
		if strings.HasPrefix(line.s, " ") || strings.HasPrefix(line.s, "\t") || trimmed == "" && len(body) > 0 {
			body = append(body, line)
			continue
		}
		flush()
		switch {
		case trimmed == "":
			continue
		case strings.HasPrefix(trimmed, "#"):
			if c, ok := lineComment(line); ok {
				c.Head = !r.told
				c.From, c.To = justCovered(lines[i+1:])
				r.file.Comments = append(r.file.Comments, c)
			}
			continue
		}
		r.told = true
		if name, value, ok := strings.Cut(line.s, ":="); ok {
			name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "export "))
			v := trimText(line.slice(len(line.s)-len(value), len(line.s)))
			if n := len(v.s); n > 1 && (v.s[0] == '"' || v.s[0] == '\'') && v.s[n-1] == v.s[0] && strings.Count(v.s, v.s[:1]) == 2 {
				vars[name] = v.slice(1, n-1).keep()
			}
		}
	}
	flush()
}

func justCovered(rest []text) (from, to int) {
	for i, line := range rest {
		if s := strings.TrimSpace(line.s); s == "" || strings.HasPrefix(s, "#") {
			continue
		}
		p := line.all()
		for _, below := range rest[i+1:] {
			if strings.TrimSpace(below.s) != "" && below.s[0] != ' ' && below.s[0] != '\t' {
				break
			}
			p.End = below.all().End
		}
		return p.Start, p.End - 1
	}
	return 0, 0
}

// justRecipe reads the body of a recipe: a script if it names an interpreter,
// or lines of a shell each.
func (r *reader) justRecipe(body []text, vars map[string]text) {
	if len(body) == 0 {
		return
	}
	first := strings.TrimSpace(body[0].s)
	if strings.HasPrefix(first, "#!") {
		if !Shebang([]byte(first)) {
			return
		}
		var j joiner
		indent := len(body[0].s) - len(strings.TrimLeft(body[0].s, " \t"))
		for _, line := range body {
			for _, part := range line.lines() {
				j.add(part.slice(min(indent, len(part.s)-len(strings.TrimLeft(part.s, " \t"))), len(part.s)))
			}
		}
		r.shell(interpolate(j.text(), vars), nil)
		return
	}
	for _, line := range body {
		r.shell(interpolate(unprefixed(line), vars), nil)
	}
}

// interpolate fills in {{name}}.
func interpolate(t text, vars map[string]text) text {
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.Index(s[from:], "{{")
		if n < 0 {
			return -1, -1, text{}
		}
		i := from + n
		end := strings.Index(s[i:], "}}")
		if end < 0 {
			return -1, -1, text{}
		}
		j := i + end + 2
		name := strings.TrimSpace(s[i+2 : j-2])
		if v, ok := vars[name]; ok {
			return i, j, v
		}
		if usual, ok := byName(name); ok {
			return i, j, made(usual, t.place(i, j))
		}
		return i, j, made(masked, t.place(i, j))
	})
}
