package webpagetest

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/webpage"
	"golang.org/x/net/html"
)

// Elements returns the tags of a page in order, each with the names of its attributes.
// The elements around times and in long words are left out, because they depend on the
// texts.
func Elements(page []byte) (all []string) {
	skip := 0 // number of open elements around times
	for z := html.NewTokenizer(bytes.NewReader(page)); z.Next() != html.ErrorToken; {
		token := z.Token()
		tag := token.Data
		switch {
		case token.Type != html.StartTagToken && token.Type != html.EndTagToken && token.Type != html.SelfClosingTagToken, tag == "wbr":
			continue
		case token.Type == html.StartTagToken && tag == "span" && slices.Equal(token.Attr, []html.Attribute{{Key: "class", Val: "nb"}}):
			skip++
			continue
		case token.Type == html.EndTagToken && tag == "span" && skip > 0: // these elements contain only text
			skip--
			continue
		case token.Type == html.EndTagToken:
			tag = "/" + tag
		}
		for _, a := range token.Attr {
			tag += " " + a.Key
		}
		all = append(all, tag)
	}
	return all
}

// Check fails the test if the page can run more than the style and script that its policy
// allows. Links may lead only to a place in the page, to a file next to the page, or to
// an https address. own is the part of the page's script after the shared script.
func Check(t testing.TB, page []byte, own string) {
	t.Helper()
	dom, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	policy := ""
	for n := range dom.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		inline := ""
		if n.FirstChild != nil {
			inline = n.FirstChild.Data
		}
		switch n.Data {
		case "script":
			if data := len(n.Attr) == 2 && n.Attr[0].Val == "application/json" && n.Attr[1].Val == "data"; !data && inline != webpage.Script()+own {
				t.Errorf("another script: %.200q", inline)
			}
		case "style":
			if !strings.Contains(policy, webpage.Hash(inline)) {
				t.Errorf("the policy does not name the style %.200q", inline)
			}
		case "meta":
			for _, a := range n.Attr {
				if a.Key == "content" && strings.HasPrefix(a.Val, "default-src") {
					policy = a.Val
				}
			}
		case "img", "iframe", "object", "embed", "link", "base", "form":
			if n.Data != "form" || len(own) == 0 {
				t.Errorf("<%s>", n.Data)
			}
		}
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "src", a.Key == "srcdoc", a.Key == "action", a.Key == "formaction":
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			case a.Key == "href" && !slices.ContainsFunc([]string{"#", "https://", "./"}, func(s string) bool { return strings.HasPrefix(a.Val, s) }):
				t.Errorf("a link to %q", a.Val)
			}
		}
	}
	if want := webpage.Hash(webpage.Script() + own); !strings.Contains(policy, "script-src '"+want+"'") {
		t.Errorf("the policy does not name the script: %s", policy)
	}
}
