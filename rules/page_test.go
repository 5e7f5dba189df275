package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// page returns a page with these lines of front matter.
func page(lines ...string) string {
	return "---\n" + strings.Join(lines, "\n") + "\n---\n\nText.\n"
}

var whole = []string{
	"title: a title", "severity: warning", "status: stable", "surfaces: [go, manifest]", "since: 0.1.0",
}

func TestParsePage(t *testing.T) {
	got, err := parsePage("alpha.md", page(append(whole, "default: false", "aliases: [beta, gamma2]")...))
	if err != nil {
		t.Fatal(err)
	}
	want := Rule{
		ID: "alpha", Title: "a title", Severity: Warning, Status: StatusStable,
		Surfaces: []Surface{SurfaceGo, SurfaceManifest}, Since: "0.1.0",
		Aliases: []string{"beta", "gamma2"}, Page: "Text.\n", Line: 11,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got, err = parsePage("alpha.md", page(whole...))
	if err != nil || !got.Default || got.Aliases != nil || got.Line != 9 {
		t.Errorf("without default and aliases: %+v, %v", got, err)
	}
}

func TestParsePageErrors(t *testing.T) {
	// change returns the page with another line for the field key. If line is
	// empty, the field is left out.
	change := func(key, line string) string {
		var lines []string
		for _, l := range whole {
			if strings.HasPrefix(l, key+":") {
				l = line
			}
			if l != "" {
				lines = append(lines, l)
			}
		}
		return page(lines...)
	}
	for _, tt := range []struct{ name, file, text, want string }{
		{"upper case name", "Alpha.md", page(whole...), "Alpha.md:1: the file's name"},
		{"dash in name", "al-pha.md", page(whole...), "al-pha.md:1: the file's name"},
		{"digit first", "1alpha.md", page(whole...), "1alpha.md:1: the file's name"},
		{"empty", "a.md", "", "a.md:1: want front matter"},
		{"no front matter", "a.md", "Text.\n", "a.md:1: want front matter"},
		{"carriage return", "a.md", "---\r\n", "a.md:1: a page is UTF-8"},
		{"byte order mark", "a.md", "\ufeff" + page(whole...), "a.md:1: a page is UTF-8"},
		{"not UTF-8", "a.md", page(whole...) + "\xff", "a.md:1: a page is UTF-8"},
		{"not closed", "a.md", "---\ntitle: x\n", "a.md:3: the front matter does not end"},
		{"no value", "a.md", change("title", "title:"), "a.md:2: want `key: value`"},
		{"blank line", "a.md", change("title", "title: x\n"), "a.md:3: want `key: value`"},
		{"trailing space", "a.md", change("title", "title: x "), "a.md:2: want `key: value`"},
		{"unknown key", "a.md", change("title", "titel: x"), `a.md:2: unknown key "titel"`},
		{"key twice", "a.md", change("title", "title: x\ntitle: x"), `a.md:3: key "title" is set twice`},
		{"missing title", "a.md", change("title", ""), `a.md:6: the front matter lacks "title"`},
		{"missing severity", "a.md", change("severity", ""), `lacks "severity"`},
		{"missing status", "a.md", change("status", ""), `lacks "status"`},
		{"missing surfaces", "a.md", change("surfaces", ""), `lacks "surfaces"`},
		{"missing since", "a.md", change("since", ""), `lacks "since"`},
		{"long title", "a.md", change("title", "title: "+strings.Repeat("x", 81)), "a.md:2: the title has more than 80"},
		{"full stop", "a.md", change("title", "title: x."), "a.md:2: the title ends in a full stop"},
		{"title YAML reads as a map", "a.md", change("title", "title: a: b"), "a.md:2: YAML does not read"},
		{"title YAML reads as a comment", "a.md", change("title", "title: a #b"), "a.md:2: YAML does not read"},
		{"title YAML reads as quoted", "a.md", change("title", `title: "a"`), "a.md:2: YAML does not read"},
		{"bar in title", "a.md", change("title", "title: a | b"), "a.md:2: the title has a character"},
		{"bad severity", "a.md", change("severity", "severity: fatal"), `a.md:3: unknown severity "fatal"`},
		{"bad status", "a.md", change("status", "status: beta"), `a.md:4: unknown status "beta"`},
		{"surfaces no list", "a.md", change("surfaces", "surfaces: go"), "a.md:5: want a list"},
		{"surfaces empty", "a.md", change("surfaces", "surfaces: []"), "a.md:5: want a list"},
		{"surfaces without space", "a.md", change("surfaces", "surfaces: [go,audit]"), "a.md:5: want a list"},
		{"unknown surface", "a.md", change("surfaces", "surfaces: [cloud]"), `a.md:5: unknown surface "cloud"`},
		{"surfaces out of order", "a.md", change("surfaces", "surfaces: [audit, go]"), "a.md:5: surfaces are written once"},
		{"surface twice", "a.md", change("surfaces", "surfaces: [go, go]"), "a.md:5: surfaces are written once"},
		{"short version", "a.md", change("since", "since: 0.1"), "a.md:6: want a version"},
		{"version with v", "a.md", change("since", "since: v0.1.0"), "a.md:6: want a version"},
		{"bad default", "a.md", change("since", "since: 0.1.0\ndefault: yes"), "a.md:7: default is true or false"},
		{"alias of itself", "a.md", change("since", "since: 0.1.0\naliases: [a]"), "a.md:7: alias \"a\""},
		{"alias twice", "a.md", change("since", "since: 0.1.0\naliases: [b, b]"), "a.md:7: alias \"b\""},
		{"no text", "a.md", strings.TrimSuffix(page(whole...), "Text.\n"), "a.md:8: the page has no text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := parsePage(tt.file, tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %+v, error %v; want an error with %q", r, err, tt.want)
			}
		})
	}
}

func FuzzParsePage(f *testing.F) {
	f.Add(page(whole...))
	f.Add(page(append(whole, "aliases: [b]")...))
	f.Add("---\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parsePage("alpha.md", text)
		if err != nil {
			if r.ID != "" {
				t.Errorf("error %v with a rule %+v", err, r)
			}
			return
		}
		// Line is the line on which Page begins in the file.
		lines := strings.Split(text, "\n")
		first, _, _ := strings.Cut(r.Page, "\n")
		if lines[r.Line-1] != first {
			t.Errorf("line %d is %q, the page begins with %q", r.Line, lines[r.Line-1], first)
		}
		r.Text() // must not panic
	})
}
