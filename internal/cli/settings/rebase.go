package settings

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Rebase converts an exclusion pattern that is relative to base into patterns that
// mean the same relative to dir. Both directories are absolute.
//
// Below dir, a path lacks the names between base and dir. Rebase removes the components
// that match these names from the front of the pattern, in every possible way. For
// apps/web, **/gen/*.yaml becomes gen/*.yaml and **/gen/*.yaml, and apps/*/gen becomes
// gen. Outside of dir, Rebase adds the path from dir to base to the front.
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
		// A pattern without a slash matches at any depth, and so also the names
		// between base and dir.
		if below && slices.ContainsFunc(names, func(name string) bool { return matches(text, name) }) {
			return []string{"./**"}
		}
		return []string{pattern}
	}
	var rebased []string
	for _, p := range alternatives(text) {
		if below {
			for _, rest := range residuals(strings.Split(p, "/"), names) {
				if len(rest) == 0 {
					return []string{"./**"} // dir itself is excluded
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

// residuals returns the remaining components of a pattern for each way in which its
// front can match all the names. An empty residual means that the pattern matches a
// parent directory.
func residuals(pattern, names []string) [][]string {
	states := [][]string{pattern}
	for _, name := range names {
		var next [][]string
		for _, state := range states {
			for ; len(state) > 0 && state[0] == "**"; state = state[1:] {
				next = appendNew(next, state) // it takes this name and may take more
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
	// A trailing ** matches everything below.
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

// maxAlternatives bounds the expansion of nested braces.
const maxAlternatives = 256

// alternatives expands the braces of a pattern that contain a slash, so that its
// components can be separated: {a/b,c}/d is a/b/d and c/d.
func alternatives(pattern string) []string {
	done, open := []string(nil), []string{pattern}
	for len(open) > 0 && len(done)+len(open) <= maxAlternatives {
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

// braces finds the first pair of braces that contains a slash; start is -1 if there
// is none.
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

// escapeGlob escapes the special characters of a glob.
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
