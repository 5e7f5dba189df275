package scripts

import "strings"

// dockerfile reads the instructions that run something.
func (r *reader) dockerfile(t text) {
	outer := r.told
	defer func() { r.told = outer }()
	lines := t.lines()
	var entry []text // of ENTRYPOINT in its exec form
	for i := 0; i < len(lines); i++ {
		trimmed := strings.TrimSpace(lines[i].s)
		if trimmed == "" {
			continue
		}
		if strings.HasPrefix(trimmed, "#") {
			if c, ok := lineComment(lines[i]); ok {
				c.Head = !r.told
				c.From, c.To = nextInstruction(lines[i+1:])
				r.file.Comments = append(r.file.Comments, c)
			}
			continue
		}
		r.told = true
		// An instruction, with the lines that continue it and without the
		// comments between them.
		var j joiner
		for ; i < len(lines); i++ {
			line := lines[i]
			if s := strings.TrimSpace(line.s); j.b.Len() > 0 && (strings.HasPrefix(s, "#") || s == "") {
				continue
			}
			j.add(line)
			if !strings.HasSuffix(strings.TrimRight(line.s, " \t\n"), `\`) {
				break
			}
		}
		ins := j.text()
		word, body := instruction(ins)
		if word == "ONBUILD" {
			word, body = instruction(body)
		}
		if word == "HEALTHCHECK" {
			body = flagless(body)
			if word, body = instruction(body); word != "CMD" {
				continue
			}
			word = "RUN"
		}
		for _, end := range delimiters(body.s, word) {
			for i++; i < len(lines); i++ {
				body = body.plus(lines[i])
				if strings.TrimSpace(lines[i].s) == end {
					break
				}
			}
		}
		switch word {
		case "RUN", "CMD", "ENTRYPOINT":
			entry = r.instruction(word, flagless(body), entry)
		case "FROM":
			entry = nil
		}
	}
}

// nextInstruction gives the place of the instruction that follows a comment.
func nextInstruction(lines []text) (from, to int) {
	for i := 0; i < len(lines); i++ {
		s := strings.TrimSpace(lines[i].s)
		if s == "" || strings.HasPrefix(s, "#") {
			continue
		}
		p := lines[i].all()
		for ; i < len(lines); i++ {
			p.End = lines[i].all().End
			s := strings.TrimSpace(lines[i].s)
			if !strings.HasSuffix(s, `\`) && !strings.HasPrefix(s, "#") {
				break
			}
		}
		return p.Start, p.End - 1
	}
	return 0, 0
}

// instruction reads the body of an instruction, in its shell or its exec form.
func (r *reader) instruction(word string, body text, entry []text) []text {
	if strings.HasPrefix(strings.TrimSpace(body.s), "[") {
		if args, ok := jsonWords(body); ok {
			switch word {
			case "ENTRYPOINT":
				entry = args
			case "CMD":
				args = append(entry[:len(entry):len(entry)], args...)
			}
			r.exec(args)
			return entry
		}
	}
	if s := strings.TrimSpace(body.s); strings.HasPrefix(s, "<<") {
		// RUN <<EOF: the shell reads the document itself.
		first := strings.IndexByte(body.s, '\n')
		last := strings.LastIndexByte(strings.TrimRight(body.s, "\n"), '\n')
		if first < 0 || last <= first {
			return entry
		}
		script := body.slice(first+1, last+1)
		if !strings.HasPrefix(script.s, "#!") || Shebang([]byte(script.s)) {
			r.shell(script, nil)
		}
		return entry
	}
	r.shell(body, nil)
	return entry
}

// exec follows a command that is given as words.
func (r *reader) exec(args []text) {
	w := &walker{reader: r, funcs: map[string]*function{}}
	w.run(args, newEnv(), nil, 0)
}

// instruction splits off the first word, in upper case.
func instruction(t text) (string, text) {
	start := len(t.s) - len(strings.TrimLeft(t.s, " \t\n"))
	end := start
	for end < len(t.s) && t.s[end]|0x20 >= 'a' && t.s[end]|0x20 <= 'z' {
		end++
	}
	return strings.ToUpper(t.s[start:end]), t.slice(end, len(t.s))
}

// flagless takes the flags from the front of an instruction's body.
func flagless(t text) text {
	for {
		start := len(t.s) - len(strings.TrimLeft(t.s, " \t\\\n"))
		if !strings.HasPrefix(t.s[start:], "--") {
			return t.slice(start, len(t.s))
		}
		n := strings.IndexAny(t.s[start:], " \t\n")
		if n < 0 {
			return text{}
		}
		t = t.slice(start+n, len(t.s))
	}
}

// delimiters gives the words that end the here-documents of an instruction.
func delimiters(s, word string) []string {
	if word != "RUN" && word != "COPY" && word != "ADD" {
		return nil
	}
	var all []string
	for {
		n := strings.Index(s, "<<")
		if n < 0 {
			return all
		}
		s = s[n+2:]
		if strings.HasPrefix(s, "<") {
			s = s[1:]
			continue
		}
		s = strings.TrimPrefix(s, "-")
		end := strings.IndexAny(s, " \t\n;|&<>)")
		if end < 0 {
			end = len(s)
		}
		if name := strings.Trim(s[:end], `"'\`); name != "" && validDelimiter(name) {
			all = append(all, name)
		}
		s = s[end:]
	}
}

func validDelimiter(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && c != '-' && !(c|0x20 >= 'a' && c|0x20 <= 'z') && !(c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

// jsonWords reads a list of JSON strings.
func jsonWords(t text) ([]text, bool) {
	var all []text
	s := t.s
	i := strings.IndexByte(s, '[') + 1
	for {
		i += len(s[i:]) - len(strings.TrimLeft(s[i:], " \t\n\\,"))
		if i >= len(s) {
			return nil, false
		}
		if s[i] == ']' {
			return all, strings.TrimSpace(s[i+1:]) == ""
		}
		if s[i] != '"' {
			return nil, false
		}
		end := i + 1
		for end < len(s) && s[end] != '"' {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(s) {
			return nil, false
		}
		all = append(all, escapes(t.slice(i+1, end)))
		i = end + 1
	}
}

// escapes reads the escapes of a JSON, YAML or Groovy string.
func escapes(t text) text {
	if !strings.Contains(t.s, `\`) {
		return t
	}
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.IndexByte(s[from:], '\\')
		if n < 0 || from+n+1 >= len(s) {
			return -1, -1, text{}
		}
		i := from + n
		switch s[i+1] {
		case 'n':
			return i, i + 2, made("\n", t.place(i, i+2))
		case 't':
			return i, i + 2, made("\t", t.place(i, i+2))
		case '"', '\'', '\\', '/', '$':
			return i, i + 2, t.slice(i+1, i+2)
		case '\n':
			// The line goes on; the white space that begins the next is none.
			rest := s[i+2:]
			return i, len(s) - len(strings.TrimLeft(rest, " \t")), text{}
		case 'r', 'b', 'f', '0', 'a', 'v', 'e':
			return i, i + 2, made(" ", t.place(i, i+2))
		}
		return i, i + 2, made(masked, t.place(i, i+2))
	})
}
