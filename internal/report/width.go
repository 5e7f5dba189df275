package report

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// wrap breaks a text into lines of at most width columns. It breaks at spaces if
// possible, otherwise after one of "/.,-:", otherwise anywhere. A width of 0 or less
// means no limit. The text must have been escaped by package quote.
func wrap(s string, width int) []string {
	if width <= 0 {
		return []string{s}
	}
	var lines []string
	for displaywidth.String(s) > width {
		cut := breakAt(s, width)
		lines = append(lines, strings.TrimRight(s[:cut], " "))
		s = strings.TrimLeft(s[cut:], " ")
	}
	return append(lines, s)
}

// breakAt returns the index at which to break a text that is wider than width. The index
// is at least 1, so that wrapping always ends.
func breakAt(s string, width int) int {
	at, used, space, soft, hard := 0, 0, 0, 0, 0
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		c := g.Value()
		if used += g.Width(); used > width {
			if c == " " { // the text before this space fills the line exactly
				return at
			}
			if hard == 0 {
				return len(c)
			}
			break
		}
		switch {
		case c == " " && at > 0:
			space = at
		case strings.Contains("/.,-:", c):
			soft = at + len(c)
		}
		at += len(c)
		hard = at
	}
	switch {
	case space > 0:
		return space
	case soft > width/2:
		return soft
	}
	return hard
}
