package main

import (
	"slices"
	"testing"
	"testing/fstest"
)

func TestCheck(t *testing.T) {
	site := fstest.MapFS{
		"index.html":      {Data: []byte(`<h1 id="top">a</h1><a href="#top">1</a><a href="docs/">2</a><a href="docs/#a-b">3</a><img srcset="a.svg 1x, b.svg 2x"><a href="https://example.com/x">4</a><a href="mailto:a@example.com">5</a>`)},
		"docs/x.html":     {Data: []byte(`<a href="../">1</a><a href="../#nothing">2</a><a href="/docs/">3</a><a href="gone.html">4</a><a href="../empty/">5</a><a href="#ä">6</a><script src="../a.svg"></script>`)},
		"a.svg":           {},
		"empty/a.txt":     {},
		"docs/ä.txt":      {},
		"docs/index.html": {Data: []byte(`<h2 id="a-b">x</h2><a href="%C3%A4.txt">1</a>`)},
	}
	pages, got, err := check(site)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"docs/x.html: ../#nothing: no such anchor",
		"docs/x.html: /docs/: not relative: the site is below a path of its host",
		"docs/x.html: gone.html: no such file",
		"docs/x.html: ../empty/: the directory has no page",
		"docs/x.html: #ä: no such anchor",
		"index.html: b.svg: no such file",
	}
	if pages != 3 || !slices.Equal(got, want) {
		t.Errorf("%d pages, %q, want %q", pages, got, want)
	}
}
