// Package codeowners reads CODEOWNERS files: who owns which file of a repository,
// as GitHub and GitLab have it.
package codeowners

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Owners are the owners of a repository's files. The zero value knows none.
type Owners struct {
	root  string
	lines []line
}

type line struct{ pattern, owners string }

// places are where the file may lie, in the order in which it is looked for.
var places = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// maxSize is the largest file that GitHub reads.
const maxSize = 3 << 20

// Find reads the file of the repository that a directory lies in: at the nearest
// directory upwards that has one, no further than the root of the repository.
// There is none where it cannot be read.
func Find(dir string) *Owners {
	for at := dir; ; at = filepath.Dir(at) {
		for _, p := range places {
			name := filepath.Join(at, filepath.FromSlash(p))
			info, err := os.Lstat(name)
			if err != nil || !info.Mode().IsRegular() || info.Size() > maxSize {
				continue
			}
			if text, err := os.ReadFile(name); err == nil {
				return Parse(at, string(text))
			}
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || at == filepath.Dir(at) {
			return &Owners{}
		}
	}
}

// Parse reads the text of a file for the repository at root. Lines that are
// malformed own nothing, as on GitHub.
func Parse(root, text string) *Owners {
	o := &Owners{root: root}
	section := ""
	for l := range strings.Lines(text) {
		words := fields(l)
		if len(words) == 0 {
			continue
		}
		if head := strings.TrimPrefix(words[0], "^"); strings.HasPrefix(head, "[") {
			// GitLab: a section, which may have owners for all of its lines.
			_, rest, _ := strings.Cut(strings.TrimSpace(l), "]")
			for strings.HasPrefix(rest, "[") {
				_, rest, _ = strings.Cut(rest, "]")
			}
			section = strings.Join(fields(rest), " ")
			continue
		}
		owners := strings.Join(words[1:], " ")
		if owners == "" {
			owners = section
		}
		for _, p := range patterns(words[0]) {
			if doublestar.ValidatePattern(p) {
				o.lines = append(o.lines, line{p, owners})
			}
		}
	}
	return o
}

// fields are the words of a line, without a comment; a backslash keeps a blank.
func fields(l string) (words []string) {
	var word strings.Builder
	for i := 0; i < len(l); i++ {
		switch c := l[i]; {
		case c == '\\' && i+1 < len(l) && (l[i+1] == ' ' || l[i+1] == '#'):
			i++
			word.WriteByte(l[i])
		case c == '#' && word.Len() == 0:
			i = len(l)
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			if word.Len() > 0 {
				words = append(words, word.String())
				word.Reset()
			}
		default:
			word.WriteByte(c)
		}
	}
	if word.Len() > 0 {
		words = append(words, word.String())
	}
	return words
}

// patterns are globs over paths that a pattern of git's kind stands for.
func patterns(p string) []string {
	anchored := strings.Contains(strings.TrimSuffix(p, "/"), "/")
	p = strings.TrimPrefix(p, "/")
	if !anchored {
		p = "**/" + p
	}
	if dir, ok := strings.CutSuffix(p, "/"); ok {
		return []string{dir + "/**"}
	}
	if strings.HasSuffix(p, "/*") { // what is directly in there, and no more
		return []string{p}
	}
	return []string{p, p + "/**"}
}

// Of are the owners of a file, by its absolute path; empty where it has none.
// The last line that matches counts.
func (o *Owners) Of(file string) string {
	if o.root == "" {
		return ""
	}
	rel, err := filepath.Rel(o.root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	rel = filepath.ToSlash(rel)
	for i := len(o.lines) - 1; i >= 0; i-- {
		if doublestar.MatchUnvalidated(o.lines[i].pattern, rel) {
			return o.lines[i].owners
		}
	}
	return ""
}
