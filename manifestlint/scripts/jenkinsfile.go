package scripts

import "strings"

// jenkinsfile reads the strings that the step sh of a pipeline runs.
func (r *reader) jenkinsfile(t text) {
	outer := r.told
	r.told = true
	defer func() { r.told = outer }()
	s := t.s
	shell := false // the next string is for a shell
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case strings.HasPrefix(s[i:], "//"):
			end := len(s)
			if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
				end = i + n
			}
			if at := strings.Index(s[i:end], Mark); at >= 0 && strings.Trim(s[i:i+at], "/ \t") == "" {
				comment := t.slice(i, end)
				below := t.place(end, lineAfter(s, end))
				r.file.Comments = append(r.file.Comments, Comment{Text: "#" + s[i+at:end], At: comment.all(), From: comment.all().Start, To: max(below.End-1, 0)})
			}
			i = end
		case strings.HasPrefix(s[i:], "/*"):
			n := strings.Index(s[i+2:], "*/")
			if n < 0 {
				return
			}
			i += n + 4
		case c == '"' || c == '\'':
			quote := s[i : i+1]
			if strings.HasPrefix(s[i:], strings.Repeat(quote, 3)) {
				quote = strings.Repeat(quote, 3)
			}
			start := i + len(quote)
			end := quoteEnd(s, start, quote)
			if end < 0 {
				return
			}
			if shell {
				r.groovy(t.slice(start, end), c == '"')
			}
			shell = false
			i = end + len(quote)
		case letter(c):
			end := i
			for end < len(s) && (letter(s[end]) || s[end] >= '0' && s[end] <= '9') {
				end++
			}
			switch s[i:end] {
			case "sh":
				shell = i == 0 || s[i-1] != '.'
			case "script", "label", "returnStdout", "returnStatus", "encoding", "true", "false", "trim":
				shell = shell && s[i:end] != "label" && s[i:end] != "encoding"
			default:
				shell = false
			}
			i = end
		case c == '\n' || c == '}' || c == '{' || c == ';':
			// sh( may have its string on the next line.
			shell = shell && c == '\n'
			i++
		default:
			i++
		}
	}
}

func letter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// lineAfter is the end of the line that follows an offset.
func lineAfter(s string, at int) int {
	if at+1 >= len(s) {
		return len(s)
	}
	if n := strings.IndexByte(s[at+1:], '\n'); n >= 0 {
		return at + 1 + n
	}
	return len(s)
}

// quoteEnd finds where a string ends.
func quoteEnd(s string, from int, quote string) int {
	for i := from; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], quote):
			return i
		case len(quote) == 1 && s[i] == '\n':
			return -1
		}
	}
	return -1
}

// groovy reads a string of Groovy as shell text. In double quotes it has
// expressions, which are filled in before.
func (r *reader) groovy(t text, expressions bool) {
	if expressions {
		t = mask(t, "${", "}")
	}
	r.shell(escapes(t), nil)
}
