package settings

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Rebase converts a pattern of files to exclude. pattern is relative to base, and the
// returned patterns are relative to dir. Together, they exclude the same files as
// pattern. base and dir are absolute paths.
//
// If dir is below base, Rebase removes the front of the pattern that matches the
// directories between them, in each possible way. For example, if base is the root and
// dir is apps/web, **/gen/*.yaml becomes gen/*.yaml and **/gen/*.yaml, and apps/*/gen
// becomes gen. For files outside dir, Rebase puts the path from dir to base before the
// pattern.
func Rebase(pattern, base, dir string) []string {
	there, err := filepath.Rel(base, dir)
	if err != nil || there == "." || path.IsAbs(filepath.ToSlash(pattern)) {
		return []string{pattern}
	}
	pattern, anchored := strings.CutPrefix(filepath.ToSlash(pattern), "./")
	text, slash := strings.CutSuffix(pattern, "/")
	suffix := ""
	if slash {
		suffix = "/"
	}
	names := strings.Split(filepath.ToSlash(there), "/")
	below := names[0] != ".."
	if !strings.Contains(text, "/") && !anchored {
		// A pattern without a slash matches a name at any depth, so it may match a
		// directory between base and dir.
		if below && slices.ContainsFunc(names, func(name string) bool { return matches(text, name) }) {
			return []string{"./**"}
		}
		return []string{pattern}
	}
	var rebased []string
	for _, p := range expandBraces(text) {
		if below {
			for _, rest := range remainders(strings.Split(p, "/"), names) {
				if len(rest) == 0 {
					return []string{"./**"} // the pattern excludes dir itself
				}
				rebased = append(rebased, "./"+strings.Join(rest, "/")+suffix)
			}
		}
		if back, err := filepath.Rel(dir, base); err == nil {
			rebased = append(rebased, "./"+escapeGlob(filepath.ToSlash(back))+"/"+p+suffix)
		}
	}
	return rebased
}

// remainders returns what remains of a pattern after its front has matched all names in
// order, for each possible match. An empty result means that the pattern matches dir or a
// directory above it. Patterns and results are lists of path components.
func remainders(pattern, names []string) [][]string {
	states := [][]string{pattern}
	for _, name := range names {
		var next [][]string
		for _, state := range states {
			for ; len(state) > 0 && state[0] == "**"; state = state[1:] {
				next = appendNew(next, state) // ** matches this name and can also match the next
			}
			if len(state) > 0 && matches(state[0], name) {
				if len(state) == 1 {
					return [][]string{{}}
				}
				next = appendNew(next, state[1:])
			}
		}
		states = next
	}
	// A ** at the end matches everything below, so it excludes dir.
	for _, state := range states {
		if len(state) == 1 && state[0] == "**" {
			return [][]string{{}}
		}
	}
	return states
}

func appendNew(states [][]string, state []string) [][]string {
	for _, s := range states {
		if slices.Equal(s, state) {
			return states
		}
	}
	return append(states, state)
}

func matches(pattern, name string) bool {
	ok, err := doublestar.Match(pattern, name)
	return ok && err == nil
}

// maxExpanded is the maximal number of patterns that expandBraces returns, because nested
// braces multiply.
const maxExpanded = 256

// expandBraces expands the braces that contain a slash: {a/b,c}/d becomes a/b/d and c/d.
// Then the results can be split at slashes.
func expandBraces(pattern string) []string {
	done, open := []string(nil), []string{pattern}
	for len(open) > 0 && len(done)+len(open) <= maxExpanded {
		p := open[0]
		open = open[1:]
		start, end, commas := braces(p)
		if start < 0 {
			done = append(done, p)
			continue
		}
		from := start + 1
		for _, at := range append(commas, end) {
			open = append(open, p[:start]+p[from:at]+p[end+1:])
			from = at + 1
		}
	}
	return append(done, open...)
}

// braces returns the positions of the first pair of braces that contains a slash, and of
// its commas. start is -1 if there is no such pair.
func braces(p string) (start, end int, commas []int) {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '{':
			depth, slash := 0, false
			commas = nil
			for j := i; j < len(p); j++ {
				switch p[j] {
				case '\\':
					j++
				case '/':
					slash = true
				case ',':
					if depth == 1 {
						commas = append(commas, j)
					}
				case '{':
					depth++
				case '}':
					depth--
				}
				if depth == 0 {
					if slash {
						return i, j, commas
					}
					i = j
					break
				}
			}
		}
	}
	return -1, -1, nil
}

func escapeGlob(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`*?[]{}\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
