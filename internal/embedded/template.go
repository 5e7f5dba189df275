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
	// placeholder is a word in braces, as programs replace it themselves.
	placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$?\{[A-Z][A-Z0-9_]*\}`) })
	// word is the first word of an action.
	word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{-?\s*(\w+)`) })
	// choice is an action that asks what the server has.
	choice = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\.Capabilities|[sS]emver[cC]ompare|KubeVersion|APIVersions`)
	})
)

// filler makes the words that stand for values: no name has it.
const filler = '_'

// plain gives a text that is to be filled in as if it had been: what stands in
// for values becomes a word of the same length, and lines with nothing else
// become empty. It is nil for a template that decides on versions itself, or on
// whether an object is there at all.
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
			return nil // one of several, or none
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
