package rules

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	r := Rule{
		ID: "alpha", Title: "a title", Severity: Warning, Status: StatusPreview,
		Surfaces: []Surface{SurfaceGo, SurfaceManifest}, Since: "0.2.0", Aliases: []string{"beta"},
		Page: strings.ReplaceAll(`Reports *that*, see
[gamma](gamma.md) and [the KEP](https://example.org/kep), <https://example.org>.

## Heading

- one item that is long enough to be broken at the right margin, which is at eighty
  columns, and hangs
- two ''a * b [c](d)''
  1. nested

| a | b |
|---|:-:|
| ''x \| y'' | **z** |
| 1 | 2 |

| server | text |
|---|---|
| 1.32 | a long text that goes on until it has reached the right margin of the terminal |
| 1.33 | ''x'' |

''''''yaml target=1.37
a: 1 # want "x"

b: 2
''''''
''''''
plain
''''''
`, "''", "`"),
	}
	// Each back-tick is two single quotes in the page above, because a raw string
	// cannot contain back-ticks. Three back-ticks make a fence.
	r.Page = strings.ReplaceAll(r.Page, "``````", "```")
	want := `alpha: a title

  severity  warning
  status    preview
  surfaces  go, manifest
  default   off (enable it by name)
  since     0.2.0
  formerly  beta

Reports that, see gamma and the KEP <https://example.org/kep>,
https://example.org.

Heading

- one item that is long enough to be broken at the right margin, which is at
  eighty columns, and hangs
- two ` + "`a * b [c](d)`" + `
  1. nested

  a        b
  -------  -
  ` + "`x | y`" + `  z
  1        2

- server: 1.32
  text: a long text that goes on until it has reached the right margin of the
  terminal
- server: 1.33
  text: ` + "`x`" + `

    [target=1.37]
    a: 1 # want "x"

    b: 2
    plain
`
	if diff := cmp.Diff(want, r.Text()); diff != "" {
		t.Error(diff)
	}
}

func TestTextOfPages(t *testing.T) {
	for _, r := range Catalogue() {
		text := r.Text()
		if !strings.HasPrefix(text, r.ID+": "+r.Title+"\n") || !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
			t.Errorf("%s: begins %.40q, ends %q", r.ID, text, text[len(text)-10:])
		}
		for _, l := range strings.Split(text, "\n") {
			code := strings.HasPrefix(l, "    ")
			if n := utf8.RuneCountInString(l); n > textWidth && !code && strings.Contains(strings.TrimSpace(l), " ") {
				t.Errorf("%s: a line of %d columns: %s", r.ID, n, l)
			}
			if strings.ContainsAny(l, "\x1b\t\r") || strings.HasPrefix(l, "```") || strings.HasPrefix(l, "#") || strings.Contains(l, ".md)") {
				t.Errorf("%s: Markdown or control characters are left: %q", r.ID, l)
			}
		}
	}
}
