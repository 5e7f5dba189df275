package customresource

import "strings"

// growth estimates how large a rule can make the strings that it reads, and the work of
// its regular expressions. The cost limits of the server do not bound the result of
// replace, and are checked only after a call.
type growth struct {
	literal int // length of the rule
	// factor is the growth by calls with literal arguments, and free the number of
	// other calls.
	factor float64
	free   int
	joins  bool
	// collects is set if the rule collects results in lists.
	collects bool
	// pattern is the length of the longest literal pattern, times maxStates if it may
	// repeat something. anyPattern is set for other patterns.
	pattern    int
	anyPattern bool
}

// growthOf parses an expression. Unknown parts count as the worst case.
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
			by, _, also := literal(after, ',')
			switch {
			case !ok || !also:
				g.free++
			case old == 0 || by > old || strings.Contains(rest[:len(rest)-len(after)], `\`):
				g.factor *= float64(by + 1)
			}
		case strings.HasSuffix(name, "join"):
			g.joins = true
			if n, _, ok := literal(rest, ')'); ok {
				g.factor *= float64(n + 1)
			} else if !strings.HasPrefix(strings.TrimLeft(rest, " "), ")") {
				g.free++
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

// literal parses a plain string that ends before end or a closing parenthesis. It
// returns its length and the rest.
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
	maxCollected = 1 << 12 // bytes of a string of which lists are made
	maxMatching  = 1 << 26 // bytes of a string times bytes of a pattern
	maxStates    = 150     // for a byte of a pattern: a{1000}
)

// bounded reports whether the rule can be evaluated for values of these sizes.
func (g growth) bounded(z sizes) bool {
	start := float64(max(z.longest, g.literal))
	if g.joins {
		start = float64(max(z.total, g.literal))
	}
	size := start * g.factor
	for range min(g.free, 100) {
		size *= start
	}
	grows := g.factor > 1 || g.free > 0
	switch {
	case grows && size > maxGrown, grows && g.collects && size > maxCollected:
		return false
	case g.anyPattern:
		return size*size*maxStates <= maxMatching
	}
	return size*float64(g.pattern) <= maxMatching
}

// compileWork estimates the work of compiling an expression. The limits of the language
// (100,000 characters, 250 levels) bound it badly. The parser's time grows with the
// square of the length, and with the fourth power of the depth of brackets. Brackets in
// strings count, too.
func compileWork(expression string) int64 {
	const most = 100_000 // the parser refuses more at once
	n := int64(len(expression))
	if n > 4*most {
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
