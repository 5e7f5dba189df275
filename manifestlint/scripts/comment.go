package scripts

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Comment is a kubevet:ignore comment.
type Comment struct {
	Text string
	At   Place
	// From and To are the offsets of the first and the last byte that the comment
	// covers.
	From, To int
	// Head is set if the comment is before all other lines. It covers the whole
	// file.
	Head bool
}

// mark is the beginning of a suppression comment.
const mark = "kubevet:ignore"

// isSuppression reports whether a comment begins with kubevet:ignore.
func isSuppression(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, "# \t"), mark) }

// lineComment returns the suppression comment on a line without other text.
func lineComment(line text) (Comment, bool) {
	s := strings.TrimSpace(line.s)
	if !strings.HasPrefix(s, "#") || !isSuppression(s) {
		return Comment{}, false
	}
	i := strings.IndexByte(line.s, '#')
	return Comment{Text: s, At: line.place(i, i+len(s))}, true
}

// blocks reads lines in blocks, such as the rules of a Makefile or the
// instructions of a Dockerfile. length returns the number of lines in the first
// block. A suppression comment covers the next block.
func (r *reader) blocks(lines []text, length func(lines []text) int, read func(block []text)) {
	head := !r.isPart
	r.isPart = true
	var above []Comment
	for n := 1; len(lines) > 0; lines = lines[n:] {
		if n = 1; isComment(lines[0].s) {
			if c, ok := lineComment(lines[0]); ok {
				c.Head = head
				above = append(above, c)
			}
			continue
		}
		n = length(lines)
		for _, c := range above {
			r.addComment(c, Place{Start: lines[0].wholePlace().Start, End: lines[n-1].wholePlace().End})
		}
		head, above = false, nil
		read(lines[:n])
	}
}

// isComment reports whether a line is blank or a comment.
func isComment(line string) bool {
	s := strings.TrimSpace(line)
	return s == "" || s[0] == '#'
}

// addComment adds a comment that covers p.
func (r *reader) addComment(c Comment, p Place) {
	c.From, c.To = p.Start, max(p.Start, p.End-1)
	r.file.Comments = append(r.file.Comments, c)
}

// comments adds the suppression comments in a shell text.
func (r *reader) comments(t text, file *syntax.File) {
	if !strings.Contains(t.s, mark) {
		return
	}
	all := file.Last
	var statements [][2]int
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Comment:
			all = append(all, *n)
		case *syntax.Stmt:
			statements = append(statements, [2]int{int(n.Pos().Offset()), int(n.End().Offset())})
		}
		return true
	})
	for _, c := range all {
		if isSuppression(c.Text) {
			r.comment(t, c, statements)
		}
	}
}

// comment adds a suppression comment in a shell text. After code, it covers the
// statements on its line. On its own line, it covers the next statement.
func (r *reader) comment(t text, c syntax.Comment, statements [][2]int) {
	from := int(c.Hash.Offset())
	to := from + 1 + len(c.Text)
	line := strings.LastIndexByte(t.s[:from], '\n') + 1
	covered := [2]int{from, to}
	alone := strings.TrimSpace(t.s[line:from]) == ""
	next := false
	for _, s := range statements {
		switch {
		case !alone:
			if s[0] >= line && s[0] < from || s[1] > line && s[1] <= from {
				covered[0] = min(covered[0], s[0])
			}
		case s[0] > to && (!next || s[0] < covered[0] || s[0] == covered[0] && s[1] > covered[1]):
			covered, next = s, true
		}
	}
	p := t.place(covered[0], covered[1])
	r.file.Comments = append(r.file.Comments, Comment{
		Text: "#" + c.Text, At: t.place(from, to), From: p.Start, To: max(p.Start, p.End-1),
		Head: alone && !r.isPart && onlyComments(t.s[:line]),
	})
}

// onlyComments reports whether all lines of a text are comments or blank.
func onlyComments(s string) bool {
	for line := range strings.Lines(s) {
		if !isComment(line) {
			return false
		}
	}
	return true
}
