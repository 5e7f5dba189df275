package scripts

import "strings"

// markdown reads the code fences of a text that are shell text, or another
// language that this package reads.
func (r *reader) markdown(t text) {
	outer := r.told
	r.told = true
	defer func() { r.told = outer }()
	var fence *codeFence
	var pending []Comment
	blank := true // nothing but comments so far
	for _, line := range t.lines() {
		if fence == nil {
			if f := openFence(line); f != nil {
				fence = f
				blank = false
				continue
			}
			if c, ok := htmlComment(line); ok {
				c.Head = blank
				pending = append(pending, c)
			} else if strings.TrimSpace(line.s) != "" {
				blank = false
			}
			continue
		}
		if !fence.closes(line) {
			fence.add(line)
			continue
		}
		pending = r.fence(fence, pending)
		fence = nil
	}
	if fence != nil {
		pending = r.fence(fence, pending)
	}
	for _, c := range pending {
		c.From, c.To = c.At.Start, c.At.End-1
		r.file.Comments = append(r.file.Comments, c)
	}
}

// htmlComment reads <!-- kubevet:ignore … -->.
func htmlComment(line text) (Comment, bool) {
	i := strings.Index(line.s, "<!--")
	if i < 0 || !strings.HasPrefix(strings.TrimSpace(line.s[i+4:]), Mark) {
		return Comment{}, false
	}
	j := strings.Index(line.s[i:], "-->")
	if j < 0 {
		return Comment{}, false
	}
	return Comment{Text: "# " + strings.TrimSpace(line.s[i+4:i+j]), At: line.place(i, i+j+3)}, true
}

// codeFence is a fenced code block.
type codeFence struct {
	mark   string // what opened it
	indent int
	info   string
	body   []text
}

// openFence reads the line that opens a fence.
func openFence(line text) *codeFence {
	s := strings.TrimRight(line.s, "\n")
	body := strings.TrimLeft(s, " \t>")
	for _, c := range []string{"`", "~"} {
		n := len(body) - len(strings.TrimLeft(body, c))
		if n < 3 {
			continue
		}
		info := strings.TrimSpace(body[n:])
		if c == "`" && strings.Contains(info, "`") {
			return nil
		}
		return &codeFence{mark: strings.Repeat(c, n), indent: len(s) - len(body), info: info}
	}
	// A fence as the first thing of a list's item.
	if item := strings.TrimLeft(s, " "); strings.HasPrefix(item, "- ```") || strings.HasPrefix(item, "* ```") {
		f := openFence(line.slice(len(s)-len(item)+2, len(line.s)))
		if f != nil {
			f.indent = len(s) - len(item) + 2
		}
		return f
	}
	return nil
}

func (f *codeFence) closes(line text) bool {
	s := strings.TrimSpace(strings.TrimLeft(line.s, " \t>"))
	return strings.HasPrefix(s, f.mark) && strings.Trim(s, f.mark[:1]) == ""
}

// add adds a line, without what indents the fence.
func (f *codeFence) add(line text) {
	n := 0
	for n < f.indent && n < len(line.s) && strings.IndexByte(" \t>", line.s[n]) >= 0 {
		n++
	}
	f.body = append(f.body, line.slice(n, len(line.s)))
}

// fence reads a code block and says what the comments above it cover.
func (r *reader) fence(f *codeFence, pending []Comment) []Comment {
	if len(f.body) == 0 {
		return pending
	}
	from, to := f.body[0].all().Start, f.body[len(f.body)-1].all().End-1
	for _, c := range pending {
		c.From, c.To = from, max(from, to)
		r.file.Comments = append(r.file.Comments, c)
	}
	lang := strings.ToLower(f.info)
	if n := strings.IndexAny(lang, " \t{,:"); n > 0 {
		lang = lang[:n]
	}
	lang = strings.Trim(lang, "{}. ")
	var j joiner
	for _, line := range f.body {
		j.add(line)
	}
	t := j.text()
	if !Mentions([]byte(t.s)) {
		return nil
	}
	switch lang {
	case "sh", "bash", "shell", "zsh", "ksh", "shellscript", "bat", "terminal":
		if prompts(f.body) {
			r.session(f.body)
		} else {
			r.shell(expressions(t), nil)
		}
	case "console", "shell-session", "shellsession", "sh-session", "bash-session", "term", "sh-output", "":
		if prompts(f.body) {
			r.session(f.body)
		} else if lang == "console" || lang == "" && commands(f.body) {
			r.shell(expressions(t), nil)
		}
	case "makefile", "make", "mk":
		r.makefile(tabbed(f.body))
	case "dockerfile", "docker":
		r.dockerfile(t)
	case "just", "justfile":
		r.justfile(t)
	}
	return nil
}

// tabbed gives the lines of a Makefile whose tabs an editor has made spaces of.
func tabbed(body []text) text {
	var j joiner
	for _, line := range body {
		if strings.HasPrefix(line.s, "    ") {
			j.add(made("\t", line.place(0, 4)))
			line = line.slice(4, len(line.s))
		}
		j.add(line)
	}
	return j.text()
}

// commands reports whether a block that names no language begins with a
// command.
func commands(body []text) bool {
	for _, line := range body {
		s := strings.TrimSpace(line.s)
		if s == "" || strings.HasPrefix(s, "#") {
			continue
		}
		word, _, _ := strings.Cut(s, " ")
		switch word {
		case "kubectl", "oc", "echo", "export", "cat", "cd", "mkdir", "sudo", "set", "if", "for", "curl", "git", "helm":
			return true
		}
		return false
	}
	return false
}

// prompt gives the length of the prompt that a line begins with.
func prompt(s string) int {
	trimmed := strings.TrimLeft(s, " ")
	for _, p := range []string{"$ ", "% ", "❯ ", "➜ "} {
		if strings.HasPrefix(trimmed, p) {
			return len(s) - len(trimmed) + len(p)
		}
	}
	// user@host:~$ command, [root@host dir]# command
	if at := strings.IndexByte(trimmed, '@'); at > 0 && !strings.ContainsAny(trimmed[:at], " \"'$(") {
		for _, p := range []string{"$ ", "# ", "% "} {
			if n := strings.Index(trimmed, p); n > at && n < 60 {
				return len(s) - len(trimmed) + n + len(p)
			}
		}
	}
	return 0
}

// prompts reports whether the lines are a session, with prompts and output.
func prompts(body []text) bool {
	for _, line := range body {
		s := strings.TrimSpace(line.s)
		if s == "" || strings.HasPrefix(s, "#") {
			continue
		}
		return prompt(line.s) > 0
	}
	return false
}

// session reads the commands of a session: the lines with a prompt, and those
// that continue them.
func (r *reader) session(body []text) {
	for i := 0; i < len(body); i++ {
		n := prompt(body[i].s)
		if n == 0 {
			continue
		}
		command := body[i].slice(n, len(body[i].s))
		var ends []string
		for {
			ends = delimiters(command.s, "RUN")
			last := strings.TrimRight(body[i].s, "\n")
			if !strings.HasSuffix(last, `\`) || i+1 >= len(body) {
				break
			}
			i++
			line := body[i]
			if strings.HasPrefix(line.s, "> ") {
				line = line.slice(2, len(line.s))
			}
			command = command.plus(line)
		}
		for _, end := range ends {
			for i+1 < len(body) {
				i++
				line := body[i]
				if strings.HasPrefix(line.s, "> ") {
					line = line.slice(2, len(line.s))
				}
				command = command.plus(line)
				if strings.TrimSpace(line.s) == end {
					break
				}
			}
		}
		r.shell(expressions(command), nil)
	}
}
