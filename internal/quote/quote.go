// Package quote makes the names and texts of an input safe to print.
//
// File names, object names, users and messages are written by strangers. Printed
// as they are, they could move a terminal's cursor, forge a patch or a line of a
// report, or give a CI system a command. Every output of kubevet prints them
// through this package, and only adds what its own syntax needs:
//
//   - Name is for names. It returns an ordinary name unchanged and any other in
//     double quotes, in C style, as git does.
//   - Text is for sentences, which may contain names. It has no quotes around it.
//   - JSON is for formats that programs read. They get every string exactly.
//
// All three agree on which characters print as themselves.
package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name returns a name in its printed form. A name of visible characters is returned unchanged.
// Every other name is quoted like git does: in double quotes, with \n, \t, \" and \\, and with
// three octal digits for each byte of an invisible character. `git apply` and `patch` can read such
// a name.
//
// A name is also quoted if it begins with a quotation mark, begins or ends with a space, or
// contains a command of a CI system; see Text. Two different names always have different printed
// forms. The empty name stays empty.
func Name(s string) string {
	if !needsQuotes(s) {
		return s
	}
	return always(s)
}

// PatchName returns a name as the header of a patch has it. It is Name, with quotes
// also for a name that has a quotation mark or a backslash, as git does.
func PatchName(s string) string {
	if strings.ContainsAny(s, `"\`) {
		return always(s)
	}
	return Name(s)
}

func needsQuotes(s string) bool {
	if s == "" {
		return false
	}
	return s[0] == '"' || s[0] == ' ' || s[len(s)-1] == ' ' || firstHidden(s) >= 0
}

// always returns a name in quotes.
func always(s string) string {
	out := make([]byte, 0, len(s)+16)
	out = append(out, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch short := strings.IndexByte("\a\b\t\n\v\f\r\"\\", s[i]); {
		case short >= 0:
			out = append(out, '\\', `abtnvfr"\`[short])
		case !isVisible(r) || r == utf8.RuneError && n == 1 || isCommandAt(s, i):
			for _, c := range []byte(s[i : i+n]) {
				out = append(out, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
			}
		default:
			out = append(out, s[i:i+n]...)
		}
		i += n
	}
	return string(append(out, '"'))
}

// Text returns a text as it is printed: every character that does not print as
// itself becomes a visible escape such as \n, \x1b or \u202e. That covers control
// characters (C0 with line breaks, DEL, C1), bidirectional overrides, zero-width
// and other invisible characters, spaces that are not U+0020, private and
// unassigned code points, and bytes that are no UTF-8. The result is one line that
// moves no cursor, changes no colour and reads in the order in which it is written.
//
// It also escapes commands that a CI system would execute if it found them in a log. GitHub
// executes ::command at the start of a line or word. GitHub, Azure Pipelines and TeamCity recognise
// ##[command], ##vso[ and ##teamcity[ anywhere in a line.
//
// Backslashes are not escaped, so an escape looks the same as a text with that escape. A result of
// Name or Text is returned unchanged.
func Text(s string) string {
	i := firstHidden(s)
	if i < 0 {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	out = append(out, s[:i]...)
	for i < len(s) {
		n := 0
		out, n = appendVisible(out, s, i)
		i += n
	}
	return string(out)
}

// Within returns a text in which a name is replaced by its printed form, such as the path in an
// error of package os.
func Within(text, name string) string {
	if !needsQuotes(name) {
		return text
	}
	return strings.ReplaceAll(text, name, always(name))
}

// Lines returns a text of several lines, each in the form of Text. But it escapes ::command only
// where GitHub executes it: at the start of a line. It is for a server's texts, such as addresses
// that begin with "::".
func Lines(s string) string { return lines(s, false) }

// Code is Lines for source code, in which tabs and line ends are not escaped.
func Code(s string) string { return lines(s, true) }

func lines(s string, code bool) string {
	var out []byte
	begun := false // the line has more than spaces
	for i := 0; i < len(s); {
		c, n := s[i], 1
		switch {
		case c == '\n', code && c == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			out, begun = append(out, c), false
		case code && c == '\t', begun && c == ':':
			out = append(out, c)
		default:
			begun = begun || c != ' '
			out, n = appendVisible(out, s, i)
		}
		i += n
	}
	return string(out)
}

// Next returns the first character of s[i:] in the form of Text, and its length in s in bytes. An
// invalid byte is a character of its own.
func Next(s string, i int) (shown string, n int) {
	out, n := appendVisible(nil, s, i)
	return string(out), n
}

// Wrappable escapes GitHub's ::command anywhere in a result of Name or Text, not only at the start
// of a line or word. It is for text that is broken into lines later.
func Wrappable(s string) string {
	if !strings.Contains(s, "::") {
		return s
	}
	out := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		if s[i] == ':' && i+2 < len(s) && s[i+1] == ':' && isLetter(s[i+2]) {
			out = appendHex(out, 'x', ':', 2)
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}

// HasCommand reports whether a CI system could execute a command in a line of a text if it found
// the text in a log.
func HasCommand(text string) bool {
	// .NET, in which these systems read logs, ends a line at a carriage return, too.
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); line != "" && line[0] == ':' && isCommandAt(line, 0) {
			return true
		}
		for i := range len(line) {
			if line[i] == '#' && isCommandAt(line, i) {
				return true
			}
		}
	}
	return false
}

// firstHidden returns the index of the first character that is not printed unchanged, or -1. It
// exists for speed: nearly every string is plain ASCII.
func firstHidden(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c > '~' || (c == ':' || c == '#') && isCommandAt(s, i) {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || !isVisible(r) {
			return i
		}
		i += n
	}
	return -1
}

// appendVisible appends the character at s[i:] in its visible form, and returns its
// length.
func appendVisible(dst []byte, s string, i int) ([]byte, int) {
	r, n := utf8.DecodeRuneInString(s[i:])
	switch {
	case r == utf8.RuneError && n == 1, isCommandAt(s, i):
		return appendHex(dst, 'x', uint32(s[i]), 2), n
	case !isVisible(r):
		return appendEscape(dst, r), n
	}
	return append(dst, s[i:i+n]...), n
}

// isVisible reports whether a character prints as something a reader can see,
// from left to right or in its script's own direction.
func isVisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r <= '~'
	}
	// IsPrint is false for all of Cc, Cf (bidi controls, zero width), Zl, Zp,
	// Zs but U+0020, Co, Cs and unassigned code points. The two tables are the
	// letters and marks that print as nothing: Hangul fillers, variation
	// selectors and their like.
	return unicode.IsPrint(r) &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) &&
		!unicode.Is(unicode.Variation_Selector, r) &&
		r != 0x2800 // BRAILLE PATTERN BLANK
}

// isCommandAt reports whether the byte at i must be escaped so that no CI system executes a
// command.
func isCommandAt(s string, i int) bool {
	switch s[i] {
	case ':':
		// actions/runner trims white space and requires "::", a command's name and a second "::",
		// which may be in a later part of the line.
		return (i == 0 || s[i-1] == ' ' || s[i-1] == '\t' || s[i-1] == '\n') && i+2 < len(s) && s[i+1] == ':' && isLetter(s[i+2])
	case '#':
		if i == 0 || s[i-1] != '#' {
			return false
		}
		for j := i + 1; j < len(s); j++ {
			if s[j] == '[' {
				return true
			}
			if !isLetter(s[j]) {
				return false
			}
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// appendEscape appends the visible form of a character: \n, \x1b, \u202e or
// \U000e0001.
func appendEscape(dst []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r < utf8.RuneSelf:
		return appendHex(dst, 'x', uint32(r), 2)
	case r <= 0xffff:
		return appendHex(dst, 'u', uint32(r), 4)
	}
	return appendHex(dst, 'U', uint32(r), 8)
}

// appendHex appends a backslash, a letter and the given number of digits.
func appendHex(dst []byte, letter byte, v uint32, digits int) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '\\', letter)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, hex[v>>shift&0xf])
	}
	return dst
}
