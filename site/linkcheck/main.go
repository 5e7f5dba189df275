// Command linkcheck reports broken links in a built site. Such links lead to a missing
// page, file or anchor.
//
// Usage:
//
//	linkcheck DIRECTORY
package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"

	"golang.org/x/net/html"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: linkcheck DIRECTORY")
		os.Exit(2)
	}
	pages, broken, err := check(os.DirFS(os.Args[1]))
	if err != nil {
		fmt.Fprintln(os.Stderr, "linkcheck:", err)
		os.Exit(3)
	}
	for _, b := range broken {
		fmt.Println(b)
	}
	fmt.Fprintf(os.Stderr, "%d pages, %d broken links\n", pages, len(broken))
	if pages == 0 || len(broken) > 0 {
		os.Exit(1)
	}
}

type page struct {
	ids   map[string]bool
	links []string
}

// check returns the number of HTML pages in a site, and a line for each broken link.
// Links to other sites are ignored.
func check(site fs.FS) (int, []string, error) {
	pages := map[string]page{}
	var order []string
	err := fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".html" {
			return err
		}
		f, err := site.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		root, err := html.Parse(f)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p := page{ids: map[string]bool{}}
		for n := range root.Descendants() {
			p.add(n)
		}
		pages[name] = p
		order = append(order, name)
		return nil
	})
	if err != nil {
		return 0, nil, err
	}
	var broken []string
	for _, name := range order {
		for _, link := range pages[name].links {
			if why := follow(site, pages, name, link); why != "" {
				broken = append(broken, fmt.Sprintf("%s: %s: %s", name, link, why))
			}
		}
	}
	return len(pages), broken, nil
}

// add adds the identifier and the links of an element to the page.
func (p *page) add(n *html.Node) {
	if n.Type != html.ElementNode {
		return
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "id":
			p.ids[a.Val] = true
		case "href", "src":
			p.links = append(p.links, a.Val)
		case "srcset":
			for part := range strings.SplitSeq(a.Val, ",") {
				if fields := strings.Fields(part); len(fields) > 0 {
					p.links = append(p.links, fields[0])
				}
			}
		}
	}
}

// follow returns the reason why a link in a page is broken, or "".
func follow(site fs.FS, pages map[string]page, from, link string) string {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return err.Error()
	case u.Scheme != "" || u.Host != "":
		return ""
	case strings.HasPrefix(u.Path, "/"):
		return "not relative: the site is below a path of its host"
	}
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
		if info, err := fs.Stat(site, to); err != nil {
			return "no such file"
		} else if info.IsDir() {
			to = path.Join(to, "index.html")
		}
		if _, err := fs.Stat(site, to); err != nil {
			return "the directory has no page"
		}
	}
	if p, isPage := pages[to]; u.Fragment != "" && isPage && !p.ids[u.Fragment] {
		return "no such anchor"
	}
	return ""
}
