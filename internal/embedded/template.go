package embedded

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

var (
	// verb is a verb of package fmt.
	verb = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[-+# 0]*(\[\d+\])?[0-9.]*[a-zA-Z]`) })
	// action is an action of package text/template.
	action = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{[^\n]*?\}\}`) })
	// placeholder is a word in braces that programs replace themselves.
	placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$?\{[A-Z][A-Z0-9_]*\}`) })
	// word is the first word of an action.
	word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{-?\s*(\w+)`) })
	// choice is an action that depends on the server's capabilities.
	choice = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\.Capabilities|[sS]emver[cC]ompare|KubeVersion|APIVersions`)
	})
)

// filler is the character that replaces placeholders. No name contains it.
const filler = '_'

// plain returns a template as if it were filled in. Placeholders become words of the same length,
// and lines with nothing else become empty. It returns nil if the template itself selects a
// version, or decides whether the object exists.
func plain(content []byte) []byte {
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
	var open []string // the blocks around a line
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
			return nil // an alternative, or an optional object
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
