package helmchart

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// judgedText gives what is judged of what a template rendered to: the same, but
// for separators that something follows on the same line, as ---# comment,
// behind which Helm begins a new object and YAML does not: there a line is
// broken. broken are the lines of the result, from 1, that begin such.
func judgedText(text string) (judged string, broken []int) {
	if !strings.Contains(text, "---") {
		return text, nil
	}
	var out strings.Builder
	line := 0
	for l := range strings.SplitAfterSeq(text, "\n") {
		line++
		if rest, ok := strings.CutPrefix(l, "---"); ok && rest != "" && !strings.ContainsRune(" \t\r\n-", rune(rest[0])) {
			out.WriteString("---\n")
			line++
			broken = append(broken, line)
			l = rest
		}
		out.WriteString(l)
	}
	return out.String(), broken
}

// unbreak moves a place in the judged text to where it is in what was rendered.
func unbreak(broken []int, line, column *int) {
	n := 0
	for _, b := range broken {
		if b > *line {
			break
		}
		n++
		if b == *line {
			*column += len("---")
		}
	}
	*line -= n
}

// unbreakFinding moves all places of a finding.
func unbreakFinding(broken []int, f *rules.Finding) {
	if len(broken) == 0 || f.Line == 0 {
		return
	}
	unbreak(broken, &f.Line, &f.Column)
	unbreak(broken, &f.EndLine, &f.EndColumn)
	for i := range f.Related {
		r := &f.Related[i]
		unbreak(broken, &r.Line, &r.Column)
		unbreak(broken, &r.EndLine, &r.EndColumn)
	}
}
