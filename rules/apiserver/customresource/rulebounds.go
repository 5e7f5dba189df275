package customresource

import "strings"

// growth estimates how large the strings in a rule can become, and how much work
// its regular expressions are. The server's cost limits are not enough: they do
// not limit the result of replace, and are checked only after a call.
type growth struct {
	literal int // length of the rule in bytes
	// factor is how many times as long calls with literal arguments can make a
	// string. otherCalls is the number of calls with other arguments.
	factor     float64
	otherCalls int
	joins      bool
	// collects is set if the rule builds lists of results.
	collects bool
	// pattern is the largest size of a literal pattern: its length, times
	// maxStates if it may have repetitions. anyPattern is set if a pattern is not
	// a literal.
	pattern    int
	anyPattern bool
}

// growthOf returns the estimate for an expression. It assumes the worst case for
// parts that it does not understand.
func growthOf(expression string) growth {
	g := growth{literal: len(expression), factor: 1}
	g.collects = strings.Contains(expression, "map") || strings.Contains(expression, "transform")
	for rest := expression; ; {
		i := strings.IndexByte(rest, '(')
		if i < 0 {
			return g
		}
		name := strings.TrimRight(rest[:i], " \t\r\n")
		rest = rest[i+1:]
		switch {
		case strings.HasSuffix(name, "replace"):
			old, after, ok := literal(rest, ',')
			by, _, byOK := literal(after, ',')
			switch {
			case !ok || !byOK:
				g.otherCalls++
			case old == 0 || by > old || strings.Contains(rest[:len(rest)-len(after)], `\`):
				g.factor *= float64(by + 1)
			}
		case strings.HasSuffix(name, "join"):
			g.joins = true
			if n, _, ok := literal(rest, ')'); ok {
				g.factor *= float64(n + 1)
			} else if !strings.HasPrefix(strings.TrimLeft(rest, " "), ")") {
				g.otherCalls++
			}
		case strings.HasSuffix(name, "matches"), strings.HasSuffix(name, "find"), strings.HasSuffix(name, "findAll"):
			if n, _, ok := literal(rest, ','); ok {
				if strings.Contains(rest[:n], "{") {
					n *= maxStates
				}
				g.pattern = max(g.pattern, n)
			} else {
				g.anyPattern = true
			}
		}
	}
}

// literal parses a string literal that is followed by the byte end or a closing
// parenthesis. It returns the length of the string and the text after it. ok is
// false for anything else.
func literal(s string, end byte) (n int, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t\r\n")
	raw := strings.HasPrefix(s, "r") || strings.HasPrefix(s, "R")
	if raw {
		s = s[1:]
	}
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return 0, "", false
	}
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && !raw:
			i++
		case s[i] == quote:
			rest = strings.TrimLeft(s[i+1:], " \t\r\n")
			if rest == "" || rest[0] != end && rest[0] != ')' {
				return 0, "", false
			}
			return i - 1, rest[1:], true
		}
	}
	return 0, "", false
}

const (
	maxGrown     = 1 << 28 // bytes of a string
	maxCollected = 1 << 12 // bytes of a string from which lists are built
	maxMatching  = 1 << 26 // bytes of a string times bytes of a pattern
	maxStates    = 150     // states for each byte of a pattern, as in a{1000}
)

// bounded reports whether the rule takes little enough time and memory to be
// evaluated for an object with strings of the sizes z.
func (g growth) bounded(z sizes) bool {
	start := float64(max(z.longest, g.literal))
	if g.joins {
		start = float64(max(z.total, g.literal))
	}
	size := start * g.factor
	for range min(g.otherCalls, 100) {
		size *= start
	}
	grows := g.factor > 1 || g.otherCalls > 0
	switch {
	case grows && size > maxGrown, grows && g.collects && size > maxCollected:
		return false
	case g.anyPattern:
		return size*size*maxStates <= maxMatching
	}
	return size*float64(g.pattern) <= maxMatching
}

// compileWork estimates the work of compiling an expression. The parser's time
// grows with the square of the length, and with the fourth power of the nesting
// depth of brackets. CEL's own limits (100,000 characters, 250 levels) allow far
// too much. Brackets in strings are counted, too.
func compileWork(expression string) int64 {
	const maxLength = 100_000 // length from which the parser refuses expressions immediately
	n := int64(len(expression))
	if n > 4*maxLength {
		return n
	}
	depth, deepest := int64(0), int64(0)
	for i := range len(expression) {
		switch expression[i] {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth--
		}
	}
	deepest = min(deepest, 250)
	return 50_000 + n*n + deepest*deepest*deepest*deepest/4
}
