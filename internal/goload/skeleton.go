package goload

import "bytes"

// skeleton is a source file without what the types of a package do not depend
// on: comments, the bodies of functions, the contents of composite literals
// of package-level variables. It is what is parsed of a dependency, so that
// parsing costs what its declarations cost and not its code.
type skeleton struct {
	// text is the file as far as it is kept. Positions in it mean nothing.
	text []byte
	// imports are the file's, in order.
	imports []importSpec
	// qualifiers are the names left of a dot in what is kept. An import whose
	// name is not among them is not needed to know the package's types.
	qualifiers map[string]bool
	// whole is set where the file was not understood and is kept as it is; all
	// its imports are needed then.
	whole bool
}

// importSpec is one import of a file. The name is empty where none is given.
type importSpec struct{ name, path string }

// needs reports whether the file needs an import of a package whose own name
// is pkg.
func (s *skeleton) needs(spec importSpec, pkg string) bool {
	name := spec.name
	switch name {
	case "_":
		return false
	case ".":
		return true
	case "":
		name = pkg
	}
	return s.whole || s.qualifiers[name]
}

// skim makes the skeleton of a source file. It is a scanner for Go's tokens
// that knows just enough of the grammar to find the braces of bodies and of
// literals. What it does not understand it keeps, and the parser is the judge.
func skim(src []byte) *skeleton {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	s := &skimmer{src: src, out: make([]byte, 0, len(src)/3), sk: &skeleton{qualifiers: map[string]bool{}}}
	if !s.file() {
		return &skeleton{text: src, imports: s.sk.imports, whole: true}
	}
	s.sk.text = s.out
	return s.sk
}

// kind is the kind of a token, as far as the skimmer tells them apart.
type kind uint8

const (
	eof     kind = iota
	word         // identifier or keyword
	literal      // number, string or rune
	newline      // where it ends a statement
	open         // ( [ {
	closing      // ) ] }
	other
)

type skimmer struct {
	src []byte
	i   int
	out []byte
	sk  *skeleton

	// The current token, and whether a line break behind it ends a statement.
	kind       kind
	start, end int
	ends       bool
}

// next reads a token. Comments and blanks are skipped; a line break, or a
// comment that holds one, is a token only where it ends a statement.
func (s *skimmer) next() {
	src := s.src
	for s.i < len(src) {
		c := src[s.i]
		switch {
		case c == '\n':
			s.i++
			if s.ends {
				s.token(newline, s.i-1, false)
				return
			}
		case c == ' ' || c == '\t' || c == '\r':
			s.i++
		case c == '/' && s.i+1 < len(src) && src[s.i+1] == '/':
			for s.i < len(src) && src[s.i] != '\n' {
				s.i++
			}
		case c == '/' && s.i+1 < len(src) && src[s.i+1] == '*':
			if s.blockComment() && s.ends {
				s.token(newline, s.i-1, false)
				return
			}
		case c == '"' || c == '\'':
			from := s.i
			s.quoted(c)
			s.token(literal, from, true)
			return
		case c == '`':
			from := s.i
			s.raw()
			s.token(literal, from, true)
			return
		case isLetter(c):
			from := s.i
			for s.i < len(src) && (isLetter(src[s.i]) || isDigit(src[s.i])) {
				s.i++
			}
			s.token(word, from, true) // keywords never stand before a line break that would matter
			return
		case isDigit(c) || c == '.' && s.i+1 < len(src) && isDigit(src[s.i+1]):
			from := s.i
			s.number()
			s.token(literal, from, true)
			return
		default:
			s.i++
			switch c {
			case '(', '[', '{':
				s.token(open, s.i-1, false)
			case ')', ']', '}':
				s.token(closing, s.i-1, true)
			default:
				s.token(other, s.i-1, false)
			}
			return
		}
	}
	s.token(eof, s.i, false)
}

func (s *skimmer) token(k kind, from int, ends bool) {
	s.kind, s.start, s.end, s.ends = k, from, s.i, ends
}

// blockComment skips a comment and reports whether it holds a line break.
func (s *skimmer) blockComment() (lines bool) {
	for s.i += 2; s.i < len(s.src); s.i++ {
		switch {
		case s.src[s.i] == '\n':
			lines = true
		case s.src[s.i] == '*' && s.i+1 < len(s.src) && s.src[s.i+1] == '/':
			s.i += 2
			return lines
		}
	}
	return lines
}

func (s *skimmer) quoted(quote byte) {
	for s.i++; s.i < len(s.src); s.i++ {
		switch s.src[s.i] {
		case '\\':
			s.i++
		case quote:
			s.i++
			return
		case '\n': // not Go; leave it to the parser
			return
		}
	}
	s.i = len(s.src)
}

func (s *skimmer) raw() {
	for s.i++; s.i < len(s.src); s.i++ {
		if s.src[s.i] == '`' {
			s.i++
			return
		}
	}
}

// number skips a number with all that can be part of one, signs of exponents
// included. That 0x1e+2 is read as one token does no harm.
func (s *skimmer) number() {
	for s.i < len(s.src) {
		c := s.src[s.i]
		switch {
		case isLetter(c) || isDigit(c) || c == '.':
		case (c == '+' || c == '-') && (s.src[s.i-1]|0x20 == 'e' || s.src[s.i-1]|0x20 == 'p'):
		default:
			return
		}
		s.i++
	}
}

// isLetter takes every byte of a character beyond ASCII for a letter.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80 }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func (s *skimmer) text() string { return string(s.src[s.start:s.end]) }

func (s *skimmer) is(text string) bool {
	return s.end-s.start == len(text) && string(s.src[s.start:s.end]) == text
}

// keep copies the current token. Tokens are set apart by a blank where the
// source may have had one.
func (s *skimmer) keep() {
	switch {
	case s.kind == newline:
		s.out = append(s.out, '\n')
		return
	case s.kind == word || s.kind == literal || s.kind == other && s.start > 0 && !isOperator(s.src[s.start-1]):
		s.out = append(s.out, ' ')
	}
	s.out = append(s.out, s.src[s.start:s.end]...)
}

// isOperator reports whether a byte can be the first of an operator of several
// characters, which must stay together.
func isOperator(c byte) bool {
	switch c {
	case '+', '-', '*', '%', '&', '|', '^', '<', '>', '=', '!', ':', '.', '~':
		return true
	}
	return false
}

// file skims declarations up to the end.
func (s *skimmer) file() bool {
	s.next()
	for s.kind != eof {
		ok := true
		switch {
		case s.kind == newline || s.is(";"):
			s.keep()
			s.next()
		case s.is("import"):
			ok = s.importDecl()
		case s.is("func"):
			ok = s.statement(true)
		case s.is("var"):
			ok = s.statement(true)
		default: // package, type, const: nothing to leave out
			ok = s.statement(false)
		}
		if !ok {
			return false
		}
	}
	return true
}

// importDecl keeps an import declaration and notes what it imports.
func (s *skimmer) importDecl() bool {
	s.keep()
	s.next()
	group := s.is("(")
	if group {
		s.keep()
		s.next()
	}
	name := ""
	for s.kind != eof {
		switch {
		case group && s.is(")"):
			s.keep()
			s.next()
			return true
		case s.kind == literal:
			path := s.src[s.start:s.end]
			if len(path) < 2 {
				return false
			}
			s.sk.imports = append(s.sk.imports, importSpec{name, string(path[1 : len(path)-1])})
			name = ""
		case s.kind == word || s.is("."):
			name = s.text()
		case s.kind == newline || s.is(";"):
			if !group {
				return true // the caller keeps it
			}
		default:
			return false
		}
		s.keep()
		s.next()
	}
	return !group
}

// statement keeps a declaration up to the line break or semicolon that ends it.
// Where blocks is set, the contents of braces are left out unless they are
// those of a type, or of an array whose length is counted.
func (s *skimmer) statement(blocks bool) bool {
	depth := 0
	previous := ""      // the token before, where it is a word or one byte
	counted := -1       // the depth at which a [...] stands before, in the same operand
	var brackets []byte // those that are open
	for s.kind != eof {
		switch s.kind {
		case newline:
			if depth == 0 {
				return true
			}
			if counted == depth {
				counted = -1
			}
			s.keep()
			previous = "\n"
			s.next()
			continue
		case open:
			c := s.src[s.start]
			if c == '{' && blocks && previous != "struct" && previous != "interface" && counted != depth {
				if !s.skipBlock() {
					return false
				}
				previous = "}"
				continue
			}
			s.keep()
			brackets = append(brackets, c)
			depth++
		case closing:
			if depth == 0 || !matches(brackets[depth-1], s.src[s.start]) {
				return false
			}
			depth--
			brackets = brackets[:depth]
			s.keep()
		case word:
			s.keep()
			// What stands left of a dot may be a package.
			if j := s.i; j < len(s.src) && s.src[j] == '.' || s.dotAhead() {
				s.sk.qualifiers[s.text()] = true
			}
		default:
			switch {
			case depth == 0 && s.is(";"):
				return true
			case s.is(".") && previous == "[":
				counted = depth - 1 // three dots in brackets count an array's elements
			case counted == depth && (s.is(",") || s.is("=")):
				counted = -1
			}
			s.keep()
		}
		previous = s.text()
		s.next()
	}
	return depth == 0
}

// dotAhead reports whether the next thing behind blanks and line breaks is a
// dot: gofmt has none there, but the language does not mind.
func (s *skimmer) dotAhead() bool {
	for j := s.i; j < len(s.src); j++ {
		switch s.src[j] {
		case ' ', '\t', '\r':
		case '.':
			return true
		case '/':
			return true // a comment: better to import too much
		default:
			return false
		}
	}
	return false
}

// skipBlock replaces the block that begins with the current token by an empty
// one.
func (s *skimmer) skipBlock() bool {
	depth := 1
	for depth > 0 {
		s.nextBrace()
		switch {
		case s.i >= len(s.src):
			return false
		case s.src[s.i] == '{':
			depth++
		default:
			depth--
		}
		s.i++
	}
	s.out = append(s.out, "{}"...)
	s.ends = true
	s.next()
	return true
}

// nextBrace goes to the next brace that is no part of a comment or literal.
func (s *skimmer) nextBrace() {
	src := s.src
	for s.i < len(src) {
		switch src[s.i] {
		case '{', '}':
			return
		case '"', '\'':
			s.quoted(src[s.i])
			continue
		case '`':
			s.raw()
			continue
		case '/':
			if s.i+1 < len(src) && src[s.i+1] == '/' {
				for s.i < len(src) && src[s.i] != '\n' {
					s.i++
				}
				continue
			}
			if s.i+1 < len(src) && src[s.i+1] == '*' {
				s.blockComment()
				continue
			}
		}
		s.i++
	}
}

func matches(left, right byte) bool {
	switch left {
	case '(':
		return right == ')'
	case '[':
		return right == ']'
	}
	return left == '{' && right == '}'
}
