package source

import "strings"

// A wildcard is a compiled pattern. It has the meaning that git gives to the
// part of an ignore pattern after its last literal byte (gitignore(5); observed
// on git 2.39 by the differential test):
//
//   - any bytes but a slash
//     **/    where a component starts: nothing, or any bytes up to a slash
//     **     at the end of the pattern, where a component starts: any bytes;
//     in all other places the same as *
//     ?      one byte but a slash
//     [...]  one byte of a set, never a slash
//     \x     x itself
//
// Bytes are matched, not characters, as in git.
type wildcard struct {
	tokens []token
	// tail is the literal at the end of the pattern. Most texts that do not
	// match have another end.
	tail string
	// never is set for a pattern that git can never match: a set without an
	// end, an unknown class name, a backslash at the end.
	never bool
}

type tokenKind uint8

const (
	tokenLiteral tokenKind = iota
	tokenAny
	tokenSet
	tokenStar
	// tokenDirs is "**/": nothing, or everything up to a later slash.
	tokenDirs
	// tokenRest is a "**" that matches slashes but needs none after it.
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

// compileWildcard compiles a pattern. It never fails: for git, every line of an
// ignore file is a pattern.
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
				return wildcard{never: true}
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
				return wildcard{never: true}
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
		w.tail = w.tokens[n-1].literal
	}
	return w
}

// compileSet compiles a set. Its first byte after the opening bracket is at i.
// It returns the index after the closing bracket, or -1 if there is none or the
// set names an unknown class.
func compileSet(pattern string, i int) (*byteSet, int) {
	var (
		set      byteSet
		negated  bool
		previous int = -1 // the byte that a following "-" makes a range from
	)
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		negated = true
		i++
	}
	// A closing bracket at the first position is a member of the set.
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
				// This is not a class: the bracket is a member.
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

// byteClass returns the members of a class such as "alpha" among the ASCII
// bytes. git's classes have no others, whatever the locale. Its spaces lack the
// vertical tab and the form feed.
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

// match reports whether all of text matches.
//
// It remembers one position to backtrack to for a star and one for a double
// star, the last of each. The part before the last double star was matched as
// early as possible, which leaves the longest rest. A star cannot match a
// slash. The time is therefore bounded by the product of the lengths, once for
// every double star.
func (w *wildcard) match(text string) bool {
	if w.never || !strings.HasSuffix(text, w.tail) {
		return false
	}
	var (
		at, pos           = 0, 0
		star, starPos     = -1, 0 // token behind the last star, where it was tried last
		across, acrossPos = -1, 0 // the same for the last double star
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
		// Backtrack: let the star match one more byte, or else the double star.
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

// step matches one token at its shortest and returns the position after it.
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
