package scripts

import "strings"

// masked stands for what a template engine, or a CI system, fills in before a
// shell sees the text: an expansion that no shell script has.
const masked = "${_}"

// mask puts masked in the place of every piece between two marks.
func mask(t text, open, shut string) text {
	if !strings.Contains(t.s, open) {
		return t
	}
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.Index(s[from:], open)
		if n < 0 {
			return -1, -1, text{}
		}
		i := from + n
		end := strings.Index(s[i+len(open):], shut)
		if end < 0 {
			return -1, -1, text{}
		}
		j := i + len(open) + end + len(shut)
		return i, j, made(masked, t.place(i, j))
	})
}

// unmask makes holes of what mask has put where a shell does not expand it.
func unmask(t text) text {
	if !strings.Contains(t.s, masked) {
		return t
	}
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.Index(s[from:], masked)
		if n < 0 {
			return -1, -1, text{}
		}
		i := from + n
		return i, i + len(masked), made(hole, t.place(i, i+len(masked)))
	})
}

// remask is the inverse of unmask, for a text that a shell reads once more.
func remask(t text) text {
	if !t.holed() {
		return t
	}
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.IndexAny(s[from:], hole+anyWords)
		if n < 0 {
			return -1, -1, text{}
		}
		i := from + n
		return i, i + 1, made(masked, t.place(i, i+1))
	})
}

// expressions masks what GitHub Actions, and template engines, fill in.
func expressions(t text) text {
	t = mask(t, "${{", "}}")
	t = mask(t, "{{", "}}")
	t = mask(t, "{%", "%}")
	return mask(t, "<%", "%>")
}
