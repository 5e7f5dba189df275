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

// Links makes addresses for places in files. It is not safe for concurrent use.
type Links struct {
	// dir is the working directory, from the directory of the page, root that of
	// the repository. All are absolute.
	dir, from, root string
	// template is --source-url; empty for links to the files themselves.
	template string
	exists   map[string]bool
}

// NewLinks returns the links of a page that goes to a file, or to standard output if
// that is empty or "-". template is --source-url; it returns an error for a wrong one.
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

// Of returns the address of a line of a file; empty if there is no such file.
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

// escaped returns a path as a part of an address.
func escaped(path string) string { return (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() }
