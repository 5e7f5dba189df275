package helmchart

import (
	"regexp"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// comments has the kubevet:ignore comments that are written as template
// comments, by file. Comments in YAML syntax are in the rendered text instead.
// It is safe for concurrent use.
type comments struct {
	mu     sync.Mutex
	byFile map[string]*manifestlint.Suppressions
}

// templateComment matches a kubevet:ignore comment of one line, including the
// braces.
var templateComment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{-?\s*/\*[ \t]*#?[ \t]*(kubevet:ignore[^\n]*?)[ \t]*\*/\s*-?\}\}`)
})

// suppress reports whether a kubevet:ignore comment in the template covers a
// finding.
func (c *comments) suppress(f *rules.Finding, text string) bool {
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

// textOf returns the text of a file of the chart, or "" if there is no such
// file.
func (c *Chart) textOf(place string) string {
	if f := c.fileAt(place); f != nil {
		return string(f.data)
	}
	return ""
}

// fileAt returns the file of the chart with this path, or nil.
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
