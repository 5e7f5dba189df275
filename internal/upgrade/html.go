package upgrade

import (
	_ "embed"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/webpage"
	"github.com/kubevet/kubevet/rules"
)

//go:embed page.tmpl
var pageTemplate string

// These are the maximal lengths of the lists on a page.
const maxShares, maxChips, maxUnread = 500, 6, 200

type content struct {
	*Report
	*plan
	Verdict verdict
	// Shares has the owners. Chips has the owners with required changes, for the line
	// below the verdict.
	Shares, Chips         []*ownerShare
	SharesLeft, ChipsLeft int
	Should, Broken, Gaps  int
	// BrokenPlaces and BrokenRequests count the places and requests that the old release
	// already refuses. Off is the number of unused APIs that are off by default.
	BrokenPlaces, BrokenRequests, Off int
	Date                              string
	Unread                            []Unreadable
	UnreadLeft                        int
	Left, Accepted                    string
	// Missing has the kinds of evidence that the user did not provide.
	Missing []Source
}

// html writes the report as one page that loads nothing from other addresses.
func (r *Report) html(w io.Writer, l Look) error {
	p := r.plan()
	c := content{Report: r, plan: p, Verdict: r.verdict(p), Shares: r.shares()}
	c.Should, c.Broken = r.countShouldAct()
	c.Off, c.Date = r.countOffByDefault(), l.date()
	for _, a := range p.Already.Actions {
		c.BrokenPlaces += a.Places
		for i := range a.Tasks {
			for _, e := range a.Tasks[i].Places {
				c.BrokenRequests += int(e.Count)
			}
		}
	}
	for _, s := range c.Shares {
		if s.Must > 0 {
			if len(c.Chips) < maxChips {
				c.Chips = append(c.Chips, s)
			} else {
				c.ChipsLeft++
			}
		}
	}
	c.Shares, c.SharesLeft = firstEntries(c.Shares, maxShares)
	c.Unread, c.UnreadLeft = firstEntries(r.Unreadable, maxUnread)
	for _, s := range r.Sources {
		c.Gaps += len(s.Gaps)
		if !s.Given {
			c.Missing = append(c.Missing, s)
		}
	}
	if n := r.Summary.Informational; n > 0 {
		c.Left = leftOutText(n)
	}
	if n := r.Summary.Accepted; n > 0 {
		c.Accepted = acceptedText(n)
	}
	page := webpage.Page{
		Title:    "Upgrade from Kubernetes " + quote.Text(r.From) + " to " + quote.Text(r.To),
		Template: pageTemplate, Content: &c, Version: l.Version,
		Funcs: template.FuncMap{
			"owner":    func(o *Owner) string { return o.Title() },
			"key":      ownerKey,
			"kind":     func(o *Owner) string { return ownerKinds[o.Kind] },
			"who":      func(o *Owner) template.HTML { return webpage.Soft(quote.Name(o.Name)) },
			"link":     func(file string, line int) string { return l.link(file, line) },
			"spot":     placeText,
			"seen":     func(e Evidence) string { return e.observation() },
			"rule":     func(id string) string { return l.rule(id) },
			"web":      httpsOnly,
			"absence":  r.absence,
			"sentence": sentence,
		},
	}
	return page.Write(w)
}

// firstEntries returns at most limit entries of a list, and the number of the other
// entries.
func firstEntries[T any](list []T, limit int) ([]T, int) {
	if len(list) <= limit {
		return list, 0
	}
	return list[:limit], len(list) - limit
}

func (l *Look) link(file string, line int) string {
	if l.Link == nil {
		return ""
	}
	return l.Link(file, line)
}

// rule returns the address of the page about a rule, or "".
func (l *Look) rule(id string) string {
	if _, ok := rules.Lookup(id); !ok || l.RulePages == "" {
		return ""
	}
	return l.RulePages + id + ".md"
}

// httpsOnly returns an https address unchanged, and "" for every other text.
func httpsOnly(address string) string {
	if quote.Text(address) != address || !strings.HasPrefix(address, "https://") {
		return ""
	}
	return address
}

// placeText returns a text such as "web/a.yaml:12".
func placeText(file string, line int) string {
	s := quote.Name(file)
	if line > 0 {
		s += ":" + strconv.Itoa(line)
	}
	return s
}
