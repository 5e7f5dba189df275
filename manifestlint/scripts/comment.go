package scripts

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// comments notes the suppressions in a shell text.
func (r *reader) comments(t text, file *syntax.File) {
	if !strings.Contains(t.s, Mark) {
		return
	}
	var marked []syntax.Comment
	type piece struct{ from, to int }
	var pieces []piece
	note := func(all []syntax.Comment) {
		for _, c := range all {
			if strings.HasPrefix(strings.TrimLeft(c.Text, "# \t"), Mark) {
				marked = append(marked, c)
			}
		}
	}
	note(file.Last)
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Comment:
			note([]syntax.Comment{*n})
		case *syntax.Stmt:
			if n.Position.IsValid() {
				to := n.End()
				if s, ok := n.Cmd.(*syntax.FuncDecl); ok {
					to = s.End()
				}
				end := int(to.Offset())
				for _, red := range n.Redirs {
					if red.Hdoc != nil && red.Hdoc.End().IsValid() {
						end = max(end, int(red.Hdoc.End().Offset()))
					}
				}
				pieces = append(pieces, piece{int(n.Position.Offset()), end})
			}
		}
		return true
	})
	for _, c := range marked {
		from, to := int(c.Hash.Offset()), int(c.Hash.Offset())+1+len(c.Text)
		start := strings.LastIndexByte(t.s[:min(from, len(t.s))], '\n') + 1
		comment := Comment{Text: "#" + c.Text, At: t.place(from, to), From: -1}
		if strings.TrimSpace(t.s[start:from]) != "" {
			// Behind code: it is about what stands on the line, to its end.
			comment.From, comment.To = start, to
			for _, p := range pieces {
				if p.from >= start && p.from < from || p.to > start && p.to <= from {
					comment.From, comment.To = min(comment.From, p.from), max(comment.To, p.to)
				}
			}
		} else {
			for _, p := range pieces {
				if p.from > to && (comment.From < 0 || p.from < comment.From || p.from == comment.From && p.to > comment.To) {
					comment.From, comment.To = p.from, p.to
				}
			}
			comment.Head = !r.told && strings.TrimSpace(uncommented(t.s[:start])) == ""
		}
		if comment.From < 0 {
			comment.From, comment.To = from, to
		}
		p := t.place(comment.From, comment.To)
		comment.From, comment.To = p.Start, max(p.Start, p.End-1)
		r.file.Comments = append(r.file.Comments, comment)
	}
}

// uncommented leaves the lines of a text that are no comments.
func uncommented(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			b.WriteString(line)
		}
	}
	return b.String()
}
