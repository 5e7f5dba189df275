// Package codeowners reads CODEOWNERS files as GitHub and GitLab do.
package codeowners

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/kubevet/kubevet/internal/treefile"
)

// Owners has the owners of the files in a repository. The zero value has no owners.
type Owners struct {
	root  string
	lines []line
}

type line struct{ pattern, owners string }

// filePaths are the possible paths of the file. The first existing file is used.
var filePaths = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// maxSize is the maximal size of the file in bytes (3 MiB). GitHub does not read larger
// files.
const maxSize = 3 << 20

// Find reads the CODEOWNERS file of the repository that contains dir. Outside a
// repository, it reads the file below dir. If the file cannot be read, or is a link that
// leads out of the repository, the result has no owners.
func Find(dir string) *Owners {
	top := cmp.Or(treefile.Repository(dir), dir)
	for at := dir; ; at = filepath.Dir(at) {
		for _, p := range filePaths {
			name := filepath.Join(at, filepath.FromSlash(p))
			if text, err := (treefile.File{Path: name, Tree: top}).Read(maxSize); err == nil {
				return Parse(at, string(text))
			}
		}
		if at == top {
			return &Owners{}
		}
	}
}

// IsZero reports whether no file has an owner.
func (o *Owners) IsZero() bool { return len(o.lines) == 0 }

// Parse parses the text of a CODEOWNERS file. root is the root of the repository. Like
// GitHub, Parse ignores malformed lines.
func Parse(root, text string) *Owners {
	o := &Owners{root: root}
	section := ""
	for l := range strings.Lines(text) {
		words := fields(l)
		if len(words) == 0 {
			continue
		}
		if head := strings.TrimPrefix(words[0], "^"); strings.HasPrefix(head, "[") {
			// A section of GitLab has default owners for its lines.
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
		for _, p := range patterns(literalBraces(words[0])) {
			if doublestar.ValidatePattern(p) {
				o.lines = append(o.lines, line{p, owners})
			}
		}
	}
	return o
}

// fields returns the words of a line, without a comment. A backslash before a space makes
// the space a part of the word.
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

// literalBraces escapes the braces in a pattern. They are not special in git. The glob
// library would take exponential time for many of them.
func literalBraces(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch {
		case p[i] == '\\' && i+1 < len(p):
			b.WriteByte(p[i])
			i++
		case p[i] == '{' || p[i] == '}':
			b.WriteByte('\\')
		}
		b.WriteByte(p[i])
	}
	return b.String()
}

// patterns returns globs that together match the files of a pattern in the syntax of git.
func patterns(p string) []string {
	anchored := strings.Contains(strings.TrimSuffix(p, "/"), "/")
	p = strings.TrimPrefix(p, "/")
	if !anchored {
		p = "**/" + p
	}
	if dir, ok := strings.CutSuffix(p, "/"); ok {
		return []string{dir + "/**"}
	}
	if strings.HasSuffix(p, "/*") { // matches only files directly in the directory
		return []string{p}
	}
	return []string{p, p + "/**"}
}

// Of returns the owners of a file as one string, or "". file is an absolute path. The
// last line that matches the file decides.
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
