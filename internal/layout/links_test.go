package layout

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var root = filepath.Join("..", "..")

// TestLinks checks that each relative link in Markdown leads to a file, and its anchor to
// a heading in this file.
func TestLinks(t *testing.T) {
	files := markdownFiles(t)
	if len(files) < 50 {
		t.Fatalf("found %d Markdown files only", len(files))
	}
	anchors := map[string]map[string]bool{}
	for _, file := range files {
		for _, link := range links(read(t, file)) {
			u, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if u.Scheme != "" || u.Host != "" {
				continue
			}
			to := file
			if u.Path != "" {
				to = filepath.Join(filepath.Dir(file), filepath.FromSlash(u.Path))
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s: link to %s: no such file", file, link)
				continue
			}
			if u.Fragment == "" || filepath.Ext(to) != ".md" {
				continue
			}
			if anchors[to] == nil {
				anchors[to] = headings(read(t, to))
			}
			if !anchors[to][u.Fragment] {
				t.Errorf("%s: link to %s: no such heading", file, link)
			}
		}
	}
}

// markdownFiles returns the paths of all Markdown files in the repository, relative to
// its root.
func markdownFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || name == "public"):
			return fs.SkipDir
		case !d.IsDir() && filepath.Ext(name) == ".md":
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			files = append(files, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

var (
	inline    = regexp.MustCompile(`\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)`)
	reference = regexp.MustCompile(`(?m)^\[[^\]]+\]: (\S+)$`)
	code      = regexp.MustCompile("``[^`\n]+``|`[^`]*`")
)

func links(text string) []string {
	text = code.ReplaceAllString(prose(text), "")
	var all []string
	for _, m := range append(inline.FindAllStringSubmatch(text, -1), reference.FindAllStringSubmatch(text, -1)...) {
		all = append(all, m[1])
	}
	return all
}

// prose returns a Markdown text without fenced code blocks and comments.
func prose(text string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(regexp.MustCompile(`(?s)<!--.*?-->`).ReplaceAllString(text, "")) {
		start := strings.TrimLeft(line, " >")
		switch {
		case fence == "" && strings.HasPrefix(start, "```"):
			fence = start[:len(start)-len(strings.TrimLeft(start, "`"))]
		case fence != "" && strings.TrimSpace(start) == fence:
			fence = ""
		case fence == "":
			b.WriteString(line)
		}
	}
	return b.String()
}

// headings returns the anchors of the headings in a Markdown text, as GitHub and the site
// create them.
func headings(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#{1,6} (.+?)(?: #+)?$`).FindAllStringSubmatch(prose(text), -1) {
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1")
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
				return unicode.ToLower(r)
			}
			return -1
		}, title)
		for i := 0; ; i++ {
			name := slug
			if i > 0 {
				name += "-" + string(rune('0'+i))
			}
			if !all[name] {
				all[name] = true
				break
			}
		}
	}
	return all
}

// TestMenu checks that the navigation of the site has exactly the pages of docs.
func TestMenu(t *testing.T) {
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile(`"/([^"]+)"`).FindAllStringSubmatch(read(t, "site/menu.toml"), -1) {
		listed[m[1]] = true
		_, err := os.Stat(filepath.Join(root, m[1]))
		if _, own := os.Stat(filepath.Join(root, "site", "content", m[1])); err != nil && own != nil {
			t.Errorf("site/menu.toml: %s: no such page", m[1])
		}
	}
	for _, file := range markdownFiles(t) {
		name := filepath.ToSlash(file)
		if dir, base := filepath.Split(name); dir == "docs/" && base != "README.md" && !listed[name] {
			t.Errorf("site/menu.toml lacks %s", name)
		}
	}
}

// TestReadmeSize checks that README.md is short enough to be read completely. Details
// belong in docs.
func TestReadmeSize(t *testing.T) {
	if size := len(read(t, "README.md")); size > 9<<10 {
		t.Errorf("README.md has %d bytes, more than 9 KiB", size)
	}
}
