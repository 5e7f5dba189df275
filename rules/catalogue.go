package rules

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

// The index, README.md, is not a page: names of pages start with a lower-case letter.
//
//go:embed [a-z]*.md
var pages embed.FS

// catalogue has the parsed pages.
type catalogue struct {
	rules     []Rule            // by ID
	index     map[string]int    // ID or alias to place in rules
	redirects map[string]string // alias to ID
}

// embedded reads the pages on first use, so that a command without a rule does not pay
// for them. The package's tests read the same pages, so a malformed page cannot be
// shipped. If one is, embedded panics.
var embedded = sync.OnceValue(func() *catalogue {
	c, err := load(pages)
	if err != nil {
		panic("rules: " + err.Error())
	}
	return c
})

// Catalogue returns all rules, sorted by ID. The caller may keep and change the result.
func Catalogue() []Rule {
	all := slices.Clone(embedded().rules)
	for i := range all {
		all[i] = all[i].clone()
	}
	return all
}

// Lookup returns the rule with an ID. It follows redirects: if id is a former name, the
// rule has another ID. ok is false if no rule has or had the ID.
func Lookup(id string) (Rule, bool) {
	c := embedded()
	i, ok := c.index[id]
	if !ok {
		return Rule{}, false
	}
	return c.rules[i].clone(), true
}

// Introduction returns the title and the first paragraph of a rule's page, and
// false if there is no such page. It reads the beginning of this page only,
// because analyzers call it during package initialization.
func Introduction(id string) (title, paragraph string, ok bool) {
	f, err := pages.Open(id + ".md")
	if err != nil {
		return "", "", false
	}
	defer f.Close()
	head := make([]byte, introductionBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return "", "", false
	}
	head = head[:bytes.LastIndexByte(head[:n], '\n')+1]
	r, err := parsePage(id+".md", string(head))
	paragraph, _, _ = strings.Cut(r.Page, "\n\n")
	return r.Title, strings.TrimRight(paragraph, "\n"), err == nil
}

// introductionBytes is larger than the front matter and first paragraph of any page.
const introductionBytes = 1536

// Resolve returns the current ID of a rule for its current or a former one. ok is false
// for other words. It does not allocate.
func Resolve(id string) (string, bool) {
	c := embedded()
	i, ok := c.index[id]
	if !ok {
		return "", false
	}
	return c.rules[i].ID, true
}

// Redirects maps the former IDs of renamed rules to their current ones. It is empty,
// not nil, if no rule was renamed. The caller may change the result.
func Redirects() map[string]string { return maps.Clone(embedded().redirects) }

// clone copies the parts of r that it shares with the catalogue.
func (r Rule) clone() Rule {
	r.Surfaces = slices.Clone(r.Surfaces)
	r.Aliases = slices.Clone(r.Aliases)
	return r
}

// load reads every page of a directory. Its error names the file and, if possible, the
// line.
func load(dir fs.FS) (*catalogue, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, fmt.Errorf("reading pages: %w", err)
	}
	c := &catalogue{index: map[string]int{}, redirects: map[string]string{}}
	buf := make([]byte, 4096)
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".md") || e.Name() == "README.md" {
			continue
		}
		text, err := readText(dir, e.Name(), buf)
		if err != nil {
			return nil, fmt.Errorf("reading page: %w", err)
		}
		r, err := parsePage(e.Name(), text)
		if err != nil {
			return nil, err
		}
		c.rules = append(c.rules, r)
	}
	slices.SortFunc(c.rules, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	for i, r := range c.rules {
		c.index[r.ID] = i
	}
	for i, r := range c.rules {
		for _, a := range r.Aliases {
			if j, taken := c.index[a]; taken {
				return nil, fmt.Errorf("%s.md: alias %q is taken by rule %s", r.ID, a, c.rules[j].ID)
			}
			c.index[a] = i
			c.redirects[a] = r.ID
		}
	}
	return c, nil
}

// readText reads a file through a buffer, with a single copy of its text.
func readText(dir fs.FS, name string, buf []byte) (string, error) {
	f, err := dir.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder
	if info, err := f.Stat(); err == nil {
		text.Grow(int(info.Size()))
	}
	for {
		n, err := f.Read(buf)
		text.Write(buf[:n])
		switch err {
		case nil:
		case io.EOF:
			return text.String(), nil
		default:
			return "", err
		}
	}
}
