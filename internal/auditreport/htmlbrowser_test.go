package auditreport

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
	"golang.org/x/net/html"
)

// TestHTMLNetwork checks that a page sends no requests to the network. As a control, it
// also opens a page that sends some.
func TestHTMLNetwork(t *testing.T) {
	page := render(t, sample(t, markupNames), "html")
	for _, x := range []struct {
		page []byte
		asks bool
	}{{page, false}, {[]byte(`<img src="http://example.invalid/x.png">`), true}} {
		log := filepath.Join(t.TempDir(), "net.json")
		webpagetest.Browse(t, x.page, "", "3000", "--dump-dom", "--log-net-log="+log)
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		// The browser itself sends requests too, for example to search for updates. Only
		// requests of the page have the initiator "not an origin" here, because the page
		// is a file.
		asks := false
		for _, m := range initiator.FindAllSubmatch(text, -1) {
			asks = asks || string(m[1]) != "not an origin"
		}
		if asks != x.asks {
			t.Errorf("asks the network: %t, want %t", asks, x.asks)
		}
	}
}

var initiator = regexp.MustCompile(`"initiator":"([^"]*)"`)

// TestHTMLBrowser opens a page in a real browser. The script must run without errors under
// the page's policy, and must draw the tables and the graph. No name may be executed or
// become an element.
func TestHTMLBrowser(t *testing.T) {
	for name, names := range map[string][]string{"harmless": {"a", "b", "c"}, "hostile": markupNames, "evil": hostileNames} {
		t.Run(name, func(t *testing.T) {
			d := withCode(sample(t, names), names)
			out, console := webpagetest.Browse(t, render(t, d, "html"), "", "4000", "--dump-dom")
			if console != "" {
				t.Errorf("the console says\n%s", console)
			}
			dom, err := html.Parse(strings.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			kinds := map[string]int{}
			for n := range dom.Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				kinds[n.Data]++
				if n.Data == "title" && n.Parent.Data == "head" && n.FirstChild.Data != "Audit report for Kubernetes 1.25" {
					t.Errorf("the title became %q", n.FirstChild.Data)
				}
				for _, a := range n.Attr {
					if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
						t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
					}
				}
			}
			if kinds["script"] != 2 || kinds["style"] != 1 || kinds["img"]+kinds["iframe"]+kinds["object"]+kinds["link"]+kinds["base"] != 0 {
				t.Errorf("elements: %v", kinds)
			}
			// The page must have the graph, and a bar for each client and API.
			if kinds["path"] < 2 || kinds["svg"] < 3 || kinds["button"] < 20 {
				t.Errorf("not drawn: %v", kinds)
			}
		})
	}
}

// BenchmarkHTMLBrowser opens a page with 10,000 groups, 10,000 clients and 1,000 fights
// in a browser. The metric ready-ms is the browser's time from the navigation until the
// script has finished and the page is laid out. The total time includes the start and end
// of the browser.
func BenchmarkHTMLBrowser(b *testing.B) {
	page := render(b, manyGroups(b, 10_000), "html")
	page = webpagetest.WithScript(b, page, htmlScript, `document.body.offsetHeight; document.title = "ready " + Math.round(performance.now());`)
	var ready float64
	n := 0
	for b.Loop() {
		out, console := webpagetest.Browse(b, page, "", "", "--dump-dom")
		var ms float64
		_, after, _ := strings.Cut(out, "<title>ready ")
		if _, err := fmt.Sscan(strings.Split(after, "<")[0], &ms); err != nil || console != "" {
			b.Fatalf("%v %.300s %s", err, out, console)
		}
		ready += ms
		n++
	}
	b.ReportMetric(ready/float64(n), "ready-ms/op")
	b.ReportMetric(float64(len(page))/1e6, "page-MB")
}
