package embedded

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxEmbedded is the maximal size in bytes of an embedded file to check. Manifests that
// people write are smaller.
const maxEmbedded = 4 << 20

// embedded returns the manifests that go:embed directives in a Go file name.
func (s *search) embedded(name string, f *ast.File) []*text {
	var texts []*text
	for _, group := range f.Comments {
		for _, c := range group.List {
			rest, ok := strings.CutPrefix(c.Text, string(directive))
			if !ok {
				continue
			}
			for _, pattern := range patterns(rest) {
				for _, file := range matches(filepath.Dir(name), pattern) {
					if s.seen[file] || !s.o.Tests && aboutTests(file) {
						continue
					}
					s.seen[file] = true
					if t := read(file); t != nil {
						texts = append(texts, t)
					}
				}
			}
		}
	}
	return texts
}

// patterns returns the patterns of a directive, without quotes.
func patterns(rest string) []string {
	var all []string
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] == '"' || rest[0] == '`' {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return all
			}
			// The result of QuotedPrefix can always be unquoted.
			text, _ := strconv.Unquote(quoted)
			all, rest = append(all, text), rest[len(quoted):]
			continue
		}
		word, _, _ := strings.Cut(rest, " ")
		all, rest = append(all, word), rest[len(word):]
	}
	return all
}

// matches returns the paths of the manifests that a pattern embeds. For a folder, these
// are all manifests in and below it. Files and folders whose name begins with a dot or an
// underscore need the prefix "all:".
func matches(dir, pattern string) []string {
	pattern, hidden := strings.CutPrefix(pattern, "all:")
	if !fs.ValidPath(pattern) {
		return nil // the go command refuses this pattern, because it may lead out of the package
	}
	names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	if err != nil {
		return nil
	}
	inside := insideDir(dir)
	var all []string
	for _, name := range names {
		if !inside(name) {
			continue // the path has a symbolic link, which the go command refuses
		}
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // the go command reports this error
			case path != name && !hidden && (d.Name()[0] == '.' || d.Name()[0] == '_'):
				if d.IsDir() {
					return fs.SkipDir
				}
			case d.IsDir() && d.Name() == "templates" && isChart(filepath.Dir(path)):
				return fs.SkipDir
			case d.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml", ".json", ".tmpl", ".gotmpl", ".tpl"}, filepath.Ext(path)):
				all = append(all, path)
			}
			return nil
		})
		if err != nil {
			return all
		}
	}
	return all
}

// insideDir returns a function that reports whether a file, after symbolic links are
// resolved, is in a directory.
func insideDir(dir string) func(name string) bool {
	realDir, err := filepath.EvalSymlinks(dir)
	return func(name string) bool {
		real, failed := filepath.EvalSymlinks(name)
		if err != nil || failed != nil {
			return false
		}
		rel, err := filepath.Rel(realDir, real)
		return err == nil && filepath.IsLocal(rel)
	}
}

// isChart reports whether a folder is a Helm chart, whose templates depend on values and
// must be rendered first.
func isChart(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "Chart.yaml"))
	return err == nil
}

// read returns the text of an embedded file, or nil if it has no manifest.
func read(name string) *text {
	info, err := os.Stat(name)
	if err != nil || info.Size() > maxEmbedded {
		return nil
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	if content = fillPlaceholders(content); content == nil {
		return nil
	}
	return &text{file: name, content: content}
}
