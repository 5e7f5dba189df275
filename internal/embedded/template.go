package embedded

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

var (
	// verb matches a verb of package fmt, such as %s.
	verb = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[-+# 0]*(\[\d+\])?[0-9.]*[a-zA-Z]`) })
	// action matches an action of package text/template.
	action = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{[^\n]*?\}\}`) })
	// placeholder matches a word in braces that a program replaces, such as ${NAME}.
	placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$?\{[A-Z][A-Z0-9_]*\}`) })
	// word matches the first word of an action.
	word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{-?\s*(\w+)`) })
	// choice matches an action that depends on the capabilities of the server.
	choice = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\.Capabilities|[sS]emver[cC]ompare|KubeVersion|APIVersions`)
	})
)

// filler is the character that replaces placeholders. It cannot occur in the name of an
// object.
const filler = '_'

// fillPlaceholders replaces placeholders by words of the same length. A line that has
// nothing else becomes empty. It returns nil if the template selects a version of an API,
// or decides whether the object exists.
func fillPlaceholders(content []byte) []byte {
	if !bytes.Contains(content, []byte("{{")) && !bytes.ContainsRune(content, '%') && !placeholder().Match(content) {
		return content
	}
	template := bytes.Contains(content, []byte("{{"))
	if template && choice().Match(content) {
		return nil
	}
	content = bytes.Clone(content)
	fill := func(b []byte) []byte {
		for i := range b {
			b[i] = filler
		}
		return b
	}
	var out []byte
	versions := 0
	var open []string // first words of the open blocks
	for line := range bytes.Lines(content) {
		trimmed := bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(trimmed, []byte("---")):
			versions = 0
		case bytes.HasPrefix(line, []byte("apiVersion:")):
			versions++
		}
		for _, m := range word().FindAllSubmatch(line, -1) {
			switch w := string(m[1]); w {
			case "if", "with", "range", "define", "block":
				open = append(open, w)
			case "end":
				open = open[:max(len(open)-1, 0)]
			}
		}
		if versions > 1 && template || bytes.HasPrefix(line, []byte("apiVersion:")) && slices.Contains(open, "if") {
			return nil // the template has alternatives, or the object is optional
		}
		end := line[len(bytes.TrimRight(line, "\r\n")):]
		if bytes.HasPrefix(trimmed, []byte("{{")) && bytes.HasSuffix(trimmed, []byte("}}")) ||
			len(trimmed) > 1 && (len(verb().Find(trimmed)) == len(trimmed) || len(placeholder().Find(trimmed)) == len(trimmed)) {
			out = append(out, bytes.Repeat([]byte(" "), len(line)-len(end))...)
			out = append(out, end...)
			continue
		}
		line = action().ReplaceAllFunc(line, fill)
		line = placeholder().ReplaceAllFunc(line, fill)
		out = append(out, verb().ReplaceAllFunc(line, fill)...)
	}
	return out
}
