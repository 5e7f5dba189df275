package scripts

import "strings"

// markdown reads the fenced code blocks of a Markdown text with shell text, a
// Makefile or a Dockerfile.
func (r *reader) markdown() {
	r.isPart = true
	var open *fence
	var above []Comment // comments that cover the next code block
	head := true        // only comments were read so far
	for _, line := range r.lines(0, len(r.source)) {
		if open != nil && !open.closedBy(line.s) {
			open.add(line)
			continue
		}
		if open != nil {
			above = r.codeBlock(open, above)
			open = nil
			continue
		}
		if open = openFence(line.s); open != nil {
			head = false
		} else if c, ok := htmlComment(line); ok {
			c.Head = head
			above = append(above, c)
		} else {
			head = head && strings.TrimSpace(line.s) == ""
		}
	}
	if open != nil {
		above = r.codeBlock(open, above)
	}
	for _, c := range above {
		r.addComment(c, c.At)
	}
}

// htmlComment returns the suppression comment in <!-- kubevet:ignore … -->.
func htmlComment(line text) (Comment, bool) {
	i := strings.Index(line.s, "<!--")
	if i < 0 || !isSuppression(line.s[i+4:]) {
		return Comment{}, false
	}
	body, _, ok := strings.Cut(line.s[i+4:], "-->")
	return Comment{Text: "# " + strings.TrimSpace(body), At: line.place(i, i+4+len(body)+3)}, ok
}

// fence is a fenced code block.
type fence struct {
	mark   string // beginning of the line that closes the block
	indent int    // indentation of the block's lines
	lang   string
	body   []text
}

// openFence returns the code block that a line opens; nil for other lines. A
// list marker can be before the fence.
func openFence(line string) *fence {
	s := strings.TrimLeft(line, " \t>-*0123456789.")
	mark := s[:len(s)-len(strings.TrimLeft(s, "`"))]
	if mark == "" {
		mark = s[:len(s)-len(strings.TrimLeft(s, "~"))]
	}
	info := strings.TrimSpace(s[len(mark):])
	if len(mark) < 3 || strings.Contains(info, "`") {
		return nil
	}
	lang, _, _ := strings.Cut(strings.Trim(info, "{. "), " ")
	return &fence{mark: mark, indent: len(line) - len(s), lang: strings.ToLower(strings.Trim(lang, "{}."))}
}

func (f *fence) closedBy(line string) bool {
	s := strings.TrimSpace(strings.TrimLeft(line, " \t>"))
	return strings.HasPrefix(s, f.mark) && strings.Trim(s, f.mark[:1]) == ""
}

// add adds a line of the code block, without the block's indentation.
func (f *fence) add(line text) {
	n := 0
	for n < min(f.indent, len(line.s)) && strings.IndexByte(" \t>", line.s[n]) >= 0 {
		n++
	}
	f.body = append(f.body, line.slice(n, len(line.s)))
}

// codeBlock reads a code block, which the comments in above cover. If the block
// is empty, codeBlock returns these comments for the next block.
func (r *reader) codeBlock(f *fence, above []Comment) []Comment {
	if len(f.body) == 0 {
		return above
	}
	t := join(f.body...)
	for _, c := range above {
		r.addComment(c, t.wholePlace())
	}
	if !Mentions([]byte(t.s)) {
		return nil
	}
	switch f.lang {
	case "sh", "bash", "shell", "zsh", "console", "":
		if hasPrompt(f.body) {
			r.session(f.body)
		} else if f.lang != "" || strings.HasPrefix(t.s, "kubectl ") || strings.HasPrefix(t.s, "oc ") {
			r.shell(t.maskTemplates())
		}
	case "makefile", "make":
		r.makefile(f.body)
	case "dockerfile", "docker":
		r.dockerfile(f.body)
	}
	return nil
}

// prompt is the text before each command in a session.
const prompt = "$ "

// hasPrompt reports whether lines are a session: commands after a prompt, and
// their output.
func hasPrompt(body []text) bool {
	for _, line := range body {
		if s := strings.TrimSpace(line.s); s != "" && s[0] != '#' {
			return strings.HasPrefix(s, prompt)
		}
	}
	return false
}

// session reads the commands of a session, without the output.
func (r *reader) session(body []text) {
	missing := map[string]bool{}
	for lines := joinContinued(body); len(lines) > 0; {
		n := 1
		if s := strings.TrimLeft(lines[0].s, " "); strings.HasPrefix(s, prompt) {
			n += hereDocument(s, lines[1:], missing)
			command := join(lines[:n]...)
			r.shell(command.slice(len(lines[0].s)-len(s)+len(prompt), len(command.s)).maskTemplates())
		}
		lines = lines[n:]
	}
}
