package scripts

import "strings"

// dockerfile reads the shell text of the RUN instructions of a Dockerfile.
func (r *reader) dockerfile(lines []text) {
	head := !r.inner
	r.inner = true
	var above []Comment // comments that cover the next instruction
	for i := 0; i < len(lines); {
		s := strings.TrimSpace(lines[i].s)
		if s == "" || s[0] == '#' {
			if c, ok := lineComment(lines[i]); ok {
				c.Head = head
				above = append(above, c)
			}
			i++
			continue
		}
		head = false
		var ins text
		ins, i = instruction(lines, i)
		for _, c := range above {
			r.cover(c, ins.all())
		}
		above = nil
		if body, ok := runBody(ins); ok {
			r.shell(body)
		}
	}
}

// instruction returns the instruction that begins at a line, and the index of
// the line behind it. Comments between its lines are left out.
func instruction(lines []text, i int) (text, int) {
	var parts []text
	for ; i < len(lines); i++ {
		s := strings.TrimSpace(lines[i].s)
		if len(parts) > 0 && (s == "" || s[0] == '#') {
			continue
		}
		parts = append(parts, lines[i])
		if !strings.HasSuffix(s, `\`) {
			i++
			break
		}
	}
	return hereDocument(join(parts...), lines, i)
}

// hereDocument returns a command with the lines of its here-document, which
// follow it, and the index of the line behind them.
func hereDocument(command text, lines []text, i int) (text, int) {
	_, rest, _ := strings.Cut(command.s, "<<")
	name, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(rest), `-"'`), " ")
	name = strings.Trim(name, `"'`)
	for end := i; name != "" && end < len(lines); end++ {
		if strings.TrimSpace(lines[end].s) == name {
			return join(append([]text{command}, lines[i:end+1]...)...), end + 1
		}
	}
	return command, i
}

// runBody returns the shell text of a RUN instruction.
func runBody(ins text) (text, bool) {
	at := len(ins.s) - len(strings.TrimLeft(ins.s, " \t"))
	if len(ins.s) < at+4 || !strings.EqualFold(ins.s[at:at+3], "RUN") {
		return text{}, false
	}
	rest := strings.TrimLeft(ins.s[at+3:], " \t\\\n")
	for strings.HasPrefix(rest, "--") { // --mount=…
		n := strings.IndexAny(rest, " \t\n")
		if n < 0 {
			return text{}, false
		}
		rest = strings.TrimLeft(rest[n:], " \t\\\n")
	}
	end := len(ins.s)
	if strings.HasPrefix(rest, "<<") { // the here-document is the script
		_, rest, _ = strings.Cut(rest, "\n")
		end = strings.LastIndexByte(strings.TrimSpace(ins.s), '\n') + 1
		if strings.HasPrefix(rest, "#!") && !Shebang([]byte(rest)) {
			return text{}, false
		}
	}
	at = len(ins.s) - len(rest)
	return ins.slice(at, max(at, end)), !strings.HasPrefix(rest, "[")
}
