package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTitle is the maximum length of a title in code points.
const maxTitle = 80

// parsePage parses one page. It consists of front matter between two lines of
// three dashes, and Markdown.
//
// The front matter is a strict subset of YAML: one `key: value` in each line,
// lists as `[a, b]`, no quotes and no comments. A text that a YAML parser would
// read differently is an error. Errors name the file and the line.
func parsePage(file, text string) (Rule, error) {
	r := Rule{ID: strings.TrimSuffix(file, ".md"), Default: true}
	fail := func(line int, format string, args ...any) (Rule, error) {
		return Rule{}, fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...))
	}
	if !isWord(r.ID) {
		return fail(1, "the file's name is the rule's ID and must be one lower-case word")
	}
	if !utf8.ValidString(text) || hasForbiddenCharacter(text) {
		return fail(1, "a page is UTF-8 without tabs, carriage returns and a byte order mark")
	}
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return fail(1, "want front matter: a line of three dashes")
	}
	seen := map[string]bool{}
	line := 1
	for {
		line++
		var l string
		if l, rest, ok = strings.Cut(rest, "\n"); !ok {
			return fail(line, "the front matter does not end in a line of three dashes")
		}
		if l == "---" {
			break
		}
		key, value, ok := strings.Cut(l, ": ")
		if !ok || key == "" || strings.TrimSpace(value) != value || value == "" {
			return fail(line, "want `key: value`, got %q", l)
		}
		if seen[key] {
			return fail(line, "key %q is set twice", key)
		}
		seen[key] = true
		if err := r.set(key, value); err != nil {
			return fail(line, "%v", err)
		}
	}
	for _, key := range []string{"title", "severity", "status", "surfaces", "since"} {
		if !seen[key] {
			return fail(line, "the front matter lacks %q", key)
		}
	}
	body := strings.TrimLeft(rest, "\n")
	r.Line = line + 1 + len(rest) - len(body)
	r.Page = body
	if text := strings.TrimRight(body, "\n"); len(text)+1 <= len(body) {
		r.Page = body[:len(text)+1] // shares the memory of body
	} else {
		r.Page += "\n"
	}
	if body == "" {
		return fail(line+1, "the page has no text")
	}
	return r, nil
}

// hasForbiddenCharacter reports whether a text has characters that are not allowed in pages. It
// must be fast, because every command that uses rules checks all pages.
func hasForbiddenCharacter(text string) bool {
	return strings.IndexByte(text, '\r') >= 0 || strings.IndexByte(text, '\t') >= 0 ||
		strings.IndexByte(text, 0) >= 0 || strings.Contains(text, "\ufeff")
}

// set parses one field of the front matter.
func (r *Rule) set(key, value string) (err error) {
	switch key {
	case "title":
		r.Title, err = parseTitle(value)
	case "severity":
		r.Severity, err = ParseSeverity(value)
	case "status":
		r.Status = Status(value)
		if !slices.Contains(statuses[:], r.Status) {
			err = fmt.Errorf("unknown status %q: want preview, stable or deprecated", value)
		}
	case "surfaces":
		r.Surfaces, err = parseSurfaces(value)
	case "default":
		r.Default = value == "true"
		if value != "true" && value != "false" {
			err = fmt.Errorf("default is true or false, not %q", value)
		}
	case "fix":
		r.Fix = Fix(value)
		if r.Fix != FixSafe && r.Fix != FixReview {
			err = fmt.Errorf("unknown fix %q: want safe or review", value)
		}
	case "since":
		r.Since, err = parseVersion(value)
	case "aliases":
		r.Aliases, err = parseAliases(r.ID, value)
	default:
		err = fmt.Errorf("unknown key %q: want title, severity, status, surfaces, default, fix, since or aliases", key)
	}
	return err
}

// parseTitle returns the title s, or an error if it is not one short line of
// plain YAML text.
func parseTitle(s string) (string, error) {
	switch {
	case utf8.RuneCountInString(s) > maxTitle:
		return "", fmt.Errorf("the title has more than %d characters", maxTitle)
	case strings.HasSuffix(s, "."):
		return "", fmt.Errorf("the title ends in a full stop")
	case strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") ||
		strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@`"):
		return "", fmt.Errorf("YAML does not read %q as plain text", s)
	case strings.ContainsFunc(s, func(c rune) bool { return c == '|' || !unicode.IsPrint(c) }):
		return "", fmt.Errorf("the title has a character that a table cannot hold")
	}
	return s, nil
}

func parseSurfaces(value string) ([]Surface, error) {
	words, err := parseList(value)
	if err != nil {
		return nil, err
	}
	var out []Surface
	last := -1
	for _, w := range words {
		i := slices.Index(surfaces[:], Surface(w))
		if i < 0 {
			return nil, fmt.Errorf("unknown surface %q: want go, manifest or audit", w)
		}
		if i <= last {
			return nil, fmt.Errorf("surfaces are written once each, in the order go, manifest, audit")
		}
		last = i
		out = append(out, surfaces[i])
	}
	return out, nil
}

func parseAliases(id, value string) ([]string, error) {
	words, err := parseList(value)
	if err != nil {
		return nil, err
	}
	for i, w := range words {
		if w == id || slices.Contains(words[:i], w) {
			return nil, fmt.Errorf("alias %q is the rule's ID or written twice", w)
		}
	}
	return words, nil
}

// parseList reads `[a, b]`, a list of at least one word.
func parseList(value string) ([]string, error) {
	inner, open := strings.CutPrefix(value, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !open || !closed {
		return nil, fmt.Errorf("want a list such as [a, b], got %q", value)
	}
	words := strings.Split(inner, ", ")
	for _, w := range words {
		if !isWord(w) {
			return nil, fmt.Errorf("want a list of lower-case words such as [a, b], got %q", value)
		}
	}
	return words, nil
}

// parseVersion accepts MAJOR.MINOR.PATCH. YAML would read 1.2 as a number.
func parseVersion(value string) (string, error) {
	parts := strings.Split(value, ".")
	ok := len(parts) == 3
	for _, p := range parts {
		ok = ok && p != "" && strings.Trim(p, "0123456789") == "" && (p == "0" || p[0] != '0')
	}
	if !ok {
		return "", fmt.Errorf("want a version such as 0.1.0, got %q", value)
	}
	return value, nil
}

// isWord reports whether s begins with a lower-case ASCII letter and has only
// such letters and digits. A word is a Go identifier, and safe in flags, file
// names and URLs.
func isWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
