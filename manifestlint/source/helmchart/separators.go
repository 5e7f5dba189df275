package helmchart

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// breakSeparators returns the text for the linter. It adds a line break to
// separators with text on the same line, such as ---# comment. There Helm
// begins a new object, and YAML does not. broken are the lines of the result,
// from 1, that begin after such a break.
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

// unbreak moves a position in the linted text to that in the rendered text.
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

// unbreakFinding moves all positions of a finding.
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
