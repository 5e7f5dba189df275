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

// pages are the rules' pages. README.md is the index and not a page, so the
// pattern does not match upper-case letters.
//
//go:embed [a-z]*.md
var pages embed.FS

type catalogue struct {
	rules     []Rule            // sorted by ID
	index     map[string]int    // from an ID or alias to an index into rules
	redirects map[string]string // from an alias to the current ID
}

// embedded parses the pages on first use, so commands that need no rule do not
// spend time on them. It panics if a page is malformed. This cannot happen in a
// release, because a test parses the same pages.
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

// Lookup returns the rule with an ID. If id is a former ID of a renamed rule, it
// returns the renamed rule. ok is false if no rule has or had the ID.
func Lookup(id string) (_ Rule, ok bool) {
	c := embedded()
	i, ok := c.index[id]
	if !ok {
		return Rule{}, false
	}
	return c.rules[i].clone(), true
}

// Introduction returns the title and the first paragraph of a rule's page. ok is
// false if there is no page for id. It reads only the beginning of the page,
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

// introductionBytes is the number of bytes that Introduction reads. Every page's
// front matter and first paragraph are shorter.
const introductionBytes = 1536

// Resolve returns the current ID of a rule. id is its current or a former ID. ok
// is false for other texts. It does not allocate memory.
func Resolve(id string) (_ string, ok bool) {
	c := embedded()
	i, ok := c.index[id]
	if !ok {
		return "", false
	}
	return c.rules[i].ID, true
}

// Redirects returns the former IDs of renamed rules with their current IDs. It is
// empty and not nil if no rule was renamed. The caller may change the result.
func Redirects() map[string]string { return maps.Clone(embedded().redirects) }

// clone returns r with copies of its slices, which the catalogue would otherwise
// share.
func (r Rule) clone() Rule {
	r.Surfaces = slices.Clone(r.Surfaces)
	r.Aliases = slices.Clone(r.Aliases)
	return r
}

// load parses every page of a directory. Errors name the file and, if possible,
// the line.
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

// readText returns the text of a file. It reads through buf, so that the text is
// copied only once.
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
