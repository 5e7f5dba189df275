package helmchart

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// breakSeparators adds a line break after --- if text follows on the line, such
// as ---# comment. Helm begins a new object at this line, but YAML does not.
// broken has the numbers of the lines in checked that begin after an added line
// break, from 1.
func breakSeparators(text string) (checked string, broken []int) {
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

// unbreak converts a position in the result of breakSeparators to a position in
// the original text.
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

// unbreakFinding applies unbreak to all positions of a finding.
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
