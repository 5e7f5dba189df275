// Package quote makes names and texts from the input safe to print.
//
// Other people choose file names, object names, user names and messages. Printed
// unchanged, these could move the cursor of a terminal, forge a patch or a line of a
// report, or execute a command in a CI system. Every output of kubevet prints them
// through this package, and then adds only the escapes of its own syntax:
//
//   - Name is for names. It returns an ordinary name unchanged, and other names in double
//     quotes with escapes as in C, like git.
//   - Text is for sentences, which may contain names. It adds no quotes.
//   - JSON is for formats that programs read. They get every string unchanged.
//
// All three functions escape the same characters.
package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name returns a name in a form that is safe to print. A name with only visible
// characters stays unchanged. Other names are quoted like in git: in double quotes, with
// \n, \t, \" and \\, and with three octal digits for each byte of an invisible character.
// `git apply` and `patch` can parse these names.
//
// A name is also quoted if it begins with a quotation mark, begins or ends with a space,
// or contains a command of a CI system (see Text). Two different names always have
// different results. The empty name stays empty.
func Name(s string) string {
	if !needsQuotes(s) {
		return s
	}
	return inQuotes(s)
}

// PatchName returns a name for the header of a patch. It is like Name, but it also quotes
// a name that contains a quotation mark or a backslash, as git does.
func PatchName(s string) string {
	if strings.ContainsAny(s, `"\`) {
		return inQuotes(s)
	}
	return Name(s)
}

func needsQuotes(s string) bool {
	if s == "" {
		return false
	}
	return s[0] == '"' || s[0] == ' ' || s[len(s)-1] == ' ' || firstHidden(s) >= 0
}

// inQuotes returns a name in quotes, even if it needs none.
func inQuotes(s string) string {
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

// Text returns a text in one line that is safe to print. It does not move the cursor or
// change colours, and is displayed in the order in which it is written. Characters that
// do not print as themselves become a visible escape such as \n, \x1b or \u202e:
//
//   - control characters (C0 with line breaks, DEL, C1)
//   - bidirectional overrides, zero-width and other invisible characters
//   - spaces except U+0020
//   - private and unassigned code points
//   - bytes that are not UTF-8
//
// Text also escapes commands that a CI system would execute in its log. GitHub executes
// ::command at the start of a line or word. GitHub, Azure Pipelines and TeamCity
// recognize ##[command], ##vso[ and ##teamcity[ anywhere in a line.
//
// Backslashes are not escaped. So an escape cannot be distinguished from a text with the
// same characters. Name and Text return their own results unchanged.
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

// Within replaces a name in a text, such as the path in an error of package os, by the
// result of Name.
func Within(text, name string) string {
	if !needsQuotes(name) {
		return text
	}
	return strings.ReplaceAll(text, name, inQuotes(name))
}

// Lines escapes each line of a text like Text, but ::command only at the start of a line,
// where GitHub executes it. It is for texts of servers, which may have addresses that
// begin with "::".
func Lines(s string) string { return lines(s, false) }

// Code is like Lines, but does not escape tabs and line ends. It is for source code.
func Code(s string) string { return lines(s, true) }

func lines(s string, code bool) string {
	var out []byte
	begun := false // true after the first character of the line that is not a space
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

// Next returns the first character of s[i:] in the form of Text, and its length in s in
// bytes. An invalid byte counts as a character.
func Next(s string, i int) (shown string, n int) {
	out, n := appendVisible(nil, s, i)
	return string(out), n
}

// Wrappable escapes ::command anywhere in a result of Name or Text, not only at the start
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

// HasCommand reports whether a CI system could execute a command in a text in its log.
func HasCommand(text string) bool {
	// These CI systems read logs with .NET, for which a carriage return also ends a line.
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

// firstHidden returns the index of the first character that must be escaped, or -1. It
// makes Text faster, because nearly every string is plain ASCII.
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

// appendVisible appends the character at s[i:] in its visible form. It returns the length
// of the character in s.
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

// isVisible reports whether a reader can see a character, and whether it does not change
// the direction of other text.
func isVisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r <= '~'
	}
	// IsPrint returns false for Cc, Cf (bidi controls, zero width), Zl, Zp, Zs except
	// U+0020, Co, Cs and unassigned code points. The two tables have letters and marks
	// that are invisible, such as Hangul fillers and variation selectors.
	return unicode.IsPrint(r) &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) &&
		!unicode.Is(unicode.Variation_Selector, r) &&
		r != 0x2800 // BRAILLE PATTERN BLANK is invisible
}

// isCommandAt reports whether the byte at i must be escaped, because a CI system might
// execute a command there.
func isCommandAt(s string, i int) bool {
	switch s[i] {
	case ':':
		// actions/runner removes leading white space. Then it requires "::", the name of
		// a command, and a second "::". The second "::" may be in a later part of the
		// line, so it is not checked.
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

// appendEscape appends an escape for a character, such as \n, \x1b, \u202e or \U000e0001.
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

// appendHex appends a backslash, a letter and a hexadecimal number. digits is the number
// of digits.
func appendHex(dst []byte, letter byte, v uint32, digits int) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '\\', letter)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, hex[v>>shift&0xf])
	}
	return dst
}
