package rules

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestPages checks that the embedded pages are valid. Otherwise Catalogue would
// panic.
func TestPages(t *testing.T) {
	c, err := load(pages)
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(pages, "*.md")
	if err != nil || len(files) != len(c.rules) {
		t.Fatalf("%d rules of %d pages (%v)", len(c.rules), len(files), err)
	}
	all := Catalogue()
	if !slices.IsSortedFunc(all, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the catalogue is not sorted")
	}
	for _, r := range all {
		if got, ok := Lookup(r.ID); !ok || !cmp.Equal(got, r) {
			t.Errorf("Lookup(%q) = %+v, %v", r.ID, got, ok)
		}
		if id, ok := Resolve(r.ID); !ok || id != r.ID {
			t.Errorf("Resolve(%q) = %q, %v", r.ID, id, ok)
		}
	}
	for alias, id := range Redirects() {
		if r, ok := Lookup(alias); !ok || r.ID != id {
			t.Errorf("Lookup(%q) = %q, %v; want %q", alias, r.ID, ok, id)
		}
	}
	if r, ok := Lookup("nosuchrule"); ok {
		t.Errorf("Lookup(nosuchrule) = %+v", r)
	}
	if id, ok := Resolve(""); ok {
		t.Errorf(`Resolve("") = %q`, id)
	}
}

// TestUpgradeCategories checks that no rule has the name of an upgrade category,
// because suppression comments could then mean both.
func TestUpgradeCategories(t *testing.T) {
	for _, r := range Catalogue() {
		for _, name := range append([]string{r.ID}, r.Aliases...) {
			if UpgradeCategory(name) {
				t.Errorf("%s is a rule and a category", name)
			}
		}
	}
}

func TestCatalogueIsACopy(t *testing.T) {
	all := Catalogue()
	all[0].ID, all[0].Surfaces[0] = "changed", "changed"
	if again := Catalogue(); again[0].ID == "changed" || again[0].Surfaces[0] == "changed" {
		t.Error("a caller changed the catalogue")
	}
	one, _ := Lookup(all[1].ID)
	one.Surfaces[0] = "changed"
	if again, _ := Lookup(all[1].ID); again.Surfaces[0] == "changed" {
		t.Error("a caller changed the catalogue")
	}
}

func dir(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestLoad(t *testing.T) {
	c, err := load(dir(map[string]string{
		"README.md": "index", "notes.txt": "no page", "sub/gamma.md": "no page",
		"beta.md":  page(append(whole, "aliases: [gamma, delta]")...),
		"alpha.md": page(whole...),
	}))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.rules) != 2 || c.rules[0].ID != "alpha" || c.rules[1].ID != "beta" {
		t.Errorf("rules %+v", c.rules)
	}
	if diff := cmp.Diff(map[string]int{"alpha": 0, "beta": 1, "gamma": 1, "delta": 1}, c.index); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"gamma": "beta", "delta": "beta"}, c.redirects); diff != "" {
		t.Error(diff)
	}
}

func TestLoadErrors(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"bad page", map[string]string{"a.md": "x"}, "a.md:1: "},
		{"alias is a rule", map[string]string{
			"a.md": page(append(whole, "aliases: [b]")...), "b.md": page(whole...),
		}, `a.md: alias "b" is taken by rule b`},
		{"alias of two", map[string]string{
			"a.md": page(append(whole, "aliases: [c]")...), "b.md": page(append(whole, "aliases: [c]")...),
		}, `b.md: alias "c" is taken by rule a`},
	} {
		if c, err := load(dir(tt.files)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %+v, error %v; want an error with %q", tt.name, c, err, tt.want)
		}
	}
}

func TestResolveDoesNotAllocate(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { Resolve("removedapi") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestRuleJSON(t *testing.T) {
	r := Rule{
		ID: "alpha", Title: "a title", Severity: Error, Status: StatusStable,
		Surfaces: []Surface{SurfaceManifest}, Default: true, Since: "0.1.0", Page: "Text.\n", Line: 9,
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"alpha","title":"a title","severity":"error","status":"stable","surfaces":["manifest"],` +
		`"default":true,"since":"0.1.0","page":"Text.\n"}`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
}

// TestIntroduction checks that Introduction agrees with Lookup for every rule.
func TestIntroduction(t *testing.T) {
	for _, r := range Catalogue() {
		title, paragraph, ok := Introduction(r.ID)
		want, _, _ := strings.Cut(r.Page, "\n\n")
		if !ok || title != r.Title || paragraph != strings.TrimRight(want, "\n") {
			t.Errorf("Introduction(%q) = %q, %q, %t", r.ID, title, paragraph, ok)
		}
	}
	if _, _, ok := Introduction("nosuchrule"); ok {
		t.Error("an unknown rule has an introduction")
	}
}
