package scripts

import "strings"

// dockerfile reads the shell text in the RUN instructions of a Dockerfile.
func (r *reader) dockerfile(lines []text) {
	missing := map[string]bool{}
	length := func(lines []text) int { return instructionLength(lines, missing) }
	r.blocks(lines, length, func(lines []text) {
		var parts []text
		for _, line := range lines {
			if n := len(parts); n == 0 || !isComment(line.s) || !strings.HasSuffix(parts[n-1].s, "\\\n") {
				parts = append(parts, line)
			}
		}
		if body, ok := runBody(join(parts...)); ok {
			r.shell(body)
		}
	})
}

// instructionLength returns the number of lines of the first instruction, with
// its comments and its here-document. missing caches the end words of
// here-documents that were not found.
func instructionLength(lines []text, missing map[string]bool) int {
	n := 1
	for n < len(lines) && (isComment(lines[n-1].s) || strings.HasSuffix(strings.TrimSpace(lines[n-1].s), `\`)) {
		n++
	}
	return n + hereDocument(lines[n-1].s, lines[n:], missing)
}

// hereDocument returns the number of lines of a command's here-document. lines
// are the lines after the command.
func hereDocument(command string, lines []text, missing map[string]bool) int {
	_, rest, _ := strings.Cut(command, "<<")
	name, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(rest), `-"'`), " ")
	name = strings.Trim(name, `"'`)
	if name == "" || missing[name] {
		return 0
	}
	for n, line := range lines {
		if strings.TrimSpace(line.s) == name {
			return n + 1
		}
	}
	missing[name] = true
	return 0
}

// runBody returns the shell text of a RUN instruction. It returns false for
// other instructions.
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
