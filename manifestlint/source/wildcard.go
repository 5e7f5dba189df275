package source

import "strings"

// wildcard is the compiled form of an ignore pattern, from its first special
// byte to its end. Patterns have the same meaning as in git (gitignore(5); a
// test compares it with git 2.39):
//
//	?      one byte except a slash
//	[...]  one byte of a set, never a slash
//	\x     x itself
//	*      any bytes except a slash
//	**/    at the start of a component: nothing, or any bytes up to a slash
//	**     as the last component: any bytes, also slashes
//	**     elsewhere: the same as *
//
// As in git, patterns match bytes, not characters.
type wildcard struct {
	tokens []token
	// literalEnd is the literal text at the end of the pattern. It is compared
	// first, because most texts do not match it.
	literalEnd string
	// matchesNothing is set if the pattern matches nothing in git: it has a set
	// without an end, an unknown class name, or a backslash at the end.
	matchesNothing bool
}

type tokenKind uint8

const (
	tokenLiteral tokenKind = iota
	tokenAny
	tokenSet
	tokenStar
	// tokenDirs is "**/". It matches nothing, or any bytes up to a slash.
	tokenDirs
	// tokenRest is a "**" that matches any bytes, including slashes.
	tokenRest
)

type token struct {
	kind    tokenKind
	literal string
	set     *byteSet
}

type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

// compileWildcard compiles a pattern. git accepts all lines of an ignore file.
func compileWildcard(pattern string) wildcard {
	var (
		w       wildcard
		literal []byte
	)
	flush := func() {
		if len(literal) > 0 {
			w.tokens = append(w.tokens, token{kind: tokenLiteral, literal: string(literal)})
			literal = literal[:0]
		}
	}
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; c {
		case '\\':
			if i+1 == len(pattern) {
				return wildcard{matchesNothing: true}
			}
			literal = append(literal, pattern[i+1])
			i += 2
		case '?':
			flush()
			w.tokens = append(w.tokens, token{kind: tokenAny})
			i++
		case '[':
			set, end := compileSet(pattern, i+1)
			if end < 0 {
				return wildcard{matchesNothing: true}
			}
			flush()
			w.tokens = append(w.tokens, token{kind: tokenSet, set: set})
			i = end
		case '*':
			flush()
			end := i + 1
			for end < len(pattern) && pattern[end] == '*' {
				end++
			}
			kind := tokenStar
			if end-i > 1 && (i == 0 || pattern[i-1] == '/') {
				switch rest := pattern[end:]; {
				case rest == "", strings.HasPrefix(rest, `\/`):
					kind = tokenRest
				case rest[0] == '/':
					kind = tokenDirs
					end++
				}
			}
			w.tokens = append(w.tokens, token{kind: kind})
			i = end
		default:
			literal = append(literal, c)
			i++
		}
	}
	flush()
	if n := len(w.tokens); n > 0 {
		w.literalEnd = w.tokens[n-1].literal
	}
	return w
}

// compileSet compiles a set such as [a-z]. i is the index after the opening
// bracket. The second result is the index after the closing bracket; -1 if the
// set has no end or an unknown class.
func compileSet(pattern string, i int) (*byteSet, int) {
	var (
		set      byteSet
		negated  bool
		previous int = -1 // first byte of a range, if "-" follows
	)
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		negated = true
		i++
	}
	// A closing bracket in the first place is a member of the set.
	for first := true; first || i >= len(pattern) || pattern[i] != ']'; first = false {
		if i >= len(pattern) {
			return nil, -1
		}
		c := pattern[i]
		switch {
		case c == '\\':
			i++
			if i >= len(pattern) {
				return nil, -1
			}
			c = pattern[i]
			set.add(c)
			previous = int(c)
		case c == '-' && previous > 0 && i+1 < len(pattern) && pattern[i+1] != ']':
			i++
			to := pattern[i]
			if to == '\\' {
				i++
				if i >= len(pattern) {
					return nil, -1
				}
				to = pattern[i]
			}
			for b := previous; b <= int(to); b++ {
				set.add(byte(b))
			}
			previous = -1
		case c == '[' && i+1 < len(pattern) && pattern[i+1] == ':':
			name := pattern[i+2:]
			end := strings.IndexByte(name, ']')
			if end < 0 {
				return nil, -1
			}
			if end == 0 || name[end-1] != ':' {
				// "[:" without ":]" is not a class. The bracket is a member.
				set.add('[')
				previous = '['
				break
			}
			member, ok := byteClass(name[:end-1])
			if !ok {
				return nil, -1
			}
			for b := range 128 {
				if member(byte(b)) {
					set.add(byte(b))
				}
			}
			previous = -1
			i += 2 + end
		default:
			set.add(c)
			previous = int(c)
		}
		i++
	}
	if negated {
		for i := range set {
			set[i] = ^set[i]
		}
	}
	set['/'>>6] &^= 1 << ('/' & 63)
	return &set, i + 1
}

// byteClass returns a function that reports whether a byte belongs to a class
// such as "alpha". As in git, all members are ASCII bytes in all locales, and
// "space" has no vertical tab and no form feed.
func byteClass(name string) (member func(byte) bool, ok bool) {
	between := func(b, low, high byte) bool { return low <= b && b <= high }
	lower := func(b byte) bool { return between(b, 'a', 'z') }
	upper := func(b byte) bool { return between(b, 'A', 'Z') }
	digit := func(b byte) bool { return between(b, '0', '9') }
	alnum := func(b byte) bool { return lower(b) || upper(b) || digit(b) }
	switch name {
	case "alnum":
		return alnum, true
	case "alpha":
		return func(b byte) bool { return lower(b) || upper(b) }, true
	case "blank":
		return func(b byte) bool { return b == ' ' || b == '\t' }, true
	case "cntrl":
		return func(b byte) bool { return b < ' ' || b == 0x7f }, true
	case "digit":
		return digit, true
	case "graph":
		return func(b byte) bool { return between(b, '!', '~') }, true
	case "lower":
		return lower, true
	case "print":
		return func(b byte) bool { return between(b, ' ', '~') }, true
	case "punct":
		return func(b byte) bool { return between(b, '!', '~') && !alnum(b) }, true
	case "space":
		return func(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }, true
	case "upper":
		return upper, true
	case "xdigit":
		return func(b byte) bool { return digit(b) || between(b, 'a', 'f') || between(b, 'A', 'F') }, true
	}
	return nil, false
}

// match reports whether the pattern matches the whole text.
//
// If a token does not match, match tries a longer text for the last "*" in this
// component. If that fails too, it tries a longer text for the last "**". An
// earlier "**" needs no second try: the part before the last "**" has matched
// as little text as possible, which leaves the longest rest. The time is
// therefore at most the product of both lengths, for each "**".
func (w *wildcard) match(text string) bool {
	if w.matchesNothing || !strings.HasSuffix(text, w.literalEnd) {
		return false
	}
	var (
		at, pos           = 0, 0
		star, starPos     = -1, 0 // token after the last "*", and position where it was tried last
		across, acrossPos = -1, 0 // token after the last "**", and position where it was tried last
	)
	for {
		if at == len(w.tokens) {
			if pos == len(text) {
				return true
			}
		} else if next, ok := w.step(at, text, pos); ok {
			switch w.tokens[at].kind {
			case tokenStar:
				star, starPos = at+1, pos
			case tokenDirs, tokenRest:
				star, across, acrossPos = -1, at+1, pos
			}
			at, pos = at+1, next
			continue
		}
		// Let the last "*" match one more byte. If it cannot, use the last "**".
		if star >= 0 && starPos < len(text) && text[starPos] != '/' {
			starPos++
			at, pos = star, starPos
			continue
		}
		star = -1
		if across < 0 {
			return false
		}
		if w.tokens[across-1].kind == tokenDirs {
			slash := strings.IndexByte(text[acrossPos:], '/')
			if slash < 0 {
				return false
			}
			acrossPos += slash + 1
		} else {
			if acrossPos == len(text) {
				return false
			}
			acrossPos++
		}
		at, pos = across, acrossPos
	}
}

// step matches one token with the shortest text, and returns the position after
// it.
func (w *wildcard) step(at int, text string, pos int) (next int, ok bool) {
	switch t := &w.tokens[at]; t.kind {
	case tokenLiteral:
		return pos + len(t.literal), strings.HasPrefix(text[pos:], t.literal)
	case tokenAny:
		return pos + 1, pos < len(text) && text[pos] != '/'
	case tokenSet:
		return pos + 1, pos < len(text) && t.set.has(text[pos])
	default:
		return pos, true
	}
}
