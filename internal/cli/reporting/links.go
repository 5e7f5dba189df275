package reporting

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/treefile"
)

// Links creates the addresses of lines in files for a page. It is not safe for concurrent
// use.
type Links struct {
	// dir is the working directory, from the directory of the page, and root the root of
	// the repository. All are absolute paths.
	dir, from, root string
	// template is the value of --source-url. If it is empty, links lead to the files
	// themselves.
	template string
	exists   map[string]bool
}

// NewLinks returns the links for a page. outputFile is the file of the page. "" and "-"
// mean standard output. template is the value of --source-url. A wrong template is an
// error.
func NewLinks(a *app.App, template, outputFile string) (*Links, error) {
	l := &Links{dir: a.Dir, from: a.Dir, root: cmp.Or(treefile.Repository(a.Dir), a.Dir), template: template, exists: map[string]bool{}}
	if outputFile != "" && outputFile != "-" {
		l.from = filepath.Dir(a.Path(outputFile))
	}
	if template == "" {
		return l, nil
	}
	u, err := url.Parse(strings.NewReplacer("{file}", "f", "{line}", "1").Replace(template))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || !strings.Contains(template, "{file}") {
		return nil, app.Usagef("--source-url must be an http or https URL with {file}, such as https://github.com/org/repo/blob/main/{file}#L{line}")
	}
	return l, nil
}

// Of returns the address of a line of a file, or "" if the file does not exist.
func (l *Links) Of(file string, line int) string {
	if file == "" || file == "-" {
		return ""
	}
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.dir, path)
	}
	known, seen := l.exists[path]
	if !seen {
		info, err := os.Stat(path)
		known = err == nil && info.Mode().IsRegular()
		l.exists[path] = known
	}
	if !known {
		return ""
	}
	if l.template != "" {
		rel, err := filepath.Rel(l.root, path)
		if err != nil || !filepath.IsLocal(rel) {
			return ""
		}
		to := l.template
		if line == 0 {
			to, _, _ = strings.Cut(to, "#")
		}
		return strings.NewReplacer("{file}", escaped(rel), "{line}", strconv.Itoa(line)).Replace(to)
	}
	to := path
	if rel, err := filepath.Rel(l.from, path); err == nil {
		to = "./" + rel
	}
	to = escaped(to)
	if line > 0 {
		to += "#L" + strconv.Itoa(line)
	}
	return to
}

// escaped returns a path in the form that URLs need.
func escaped(path string) string { return (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() }
