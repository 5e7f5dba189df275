package helmchart

import (
	"regexp"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// ignoreComments has the kubevet:ignore comments that are template comments, by
// file. The rendered text does not contain them. ignoreComments is safe for
// concurrent use.
type ignoreComments struct {
	mu     sync.Mutex
	byFile map[string]*manifestlint.Suppressions
}

// templateComment matches a kubevet:ignore comment of one line, with its
// braces.
var templateComment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{-?\s*/\*[ \t]*#?[ \t]*(kubevet:ignore[^\n]*?)[ \t]*\*/\s*-?\}\}`)
})

// suppress reports whether a kubevet:ignore comment in the template text covers
// a finding.
func (c *ignoreComments) suppress(f *rules.Finding, text string) bool {
	if !strings.Contains(text, "kubevet:ignore") {
		return false
	}
	c.mu.Lock()
	s, ok := c.byFile[f.File]
	if !ok {
		s = readComments(text)
		if c.byFile == nil {
			c.byFile = map[string]*manifestlint.Suppressions{}
		}
		c.byFile[f.File] = s
	}
	c.mu.Unlock()
	return s.Suppress(f)
}

func readComments(text string) *manifestlint.Suppressions {
	if !templateComment().MatchString(text) {
		return nil
	}
	return manifestlint.ReadSuppressions([]byte(templateComment().ReplaceAllString(text, "# $1")))
}

func (c *Chart) textOf(place string) string {
	if f := c.fileAt(place); f != nil {
		return string(f.data)
	}
	return ""
}

func (c *Chart) fileAt(place string) *file {
	var find func(f *folder) *file
	find = func(f *folder) *file {
		if f.place != "." && !strings.HasPrefix(place, f.place) {
			return nil
		}
		for i := range f.files {
			if f.files[i].place == place {
				return &f.files[i]
			}
		}
		for _, sub := range f.subs {
			if found := find(sub); found != nil {
				return found
			}
		}
		return nil
	}
	return find(c.root)
}
