package auditreport

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/webpage"
)

var (
	//go:embed html/report.tmpl
	htmlTemplate string
	//go:embed html/report.css
	htmlStyle string
	//go:embed html/report.js
	htmlScript string
)

type page struct {
	Title    string
	Verdict  headline
	Facts    []fact
	Alarm    string
	Releases []releaseCard
	Parts    []part
	Levels   []fact
	Looked   []fact
	Notes    []string
}

type fact struct{ Name, Value string }

// part is a section of the page, with these things before its tables:
//
//   - Graph: the graph of fights
//   - Cards: the cards of releases
//   - Limits: the list of inputs that were not checked
type part struct {
	ID, Title, Lead string
	Graph           bool
	Cards           bool
	Limits          bool
	Tables          []*sheet
}

// writeHTML writes a page that needs no other file and no network. The page's content
// security policy forbids both.
func writeHTML(w io.Writer, d *Document, l Look) error {
	p := newPage(d, l)
	data := pageData{Tables: []*sheet{}, Fights: fightData(d, l)}
	for i := range p.Parts {
		data.Tables = append(data.Tables, p.Parts[i].Tables...)
	}
	// Strings and numbers can always be encoded, so there is no error. The encoder
	// escapes <, >, & and the line separators of JavaScript. So no string can end the
	// script element that contains the JSON.
	text, _ := quote.JSON(data, nil)
	page := webpage.Page{Title: p.Title, Template: htmlTemplate, Content: p, Style: htmlStyle, Script: htmlScript, Data: text, Version: visible(l.Version)}
	return page.Write(w)
}

func newPage(d *Document, l Look) *page {
	s := &d.Summary
	p := &page{
		Title: "Audit report for Kubernetes " + visible(s.Target), Verdict: d.headline(),
		Parts: parts(d, l), Releases: releaseCards(d),
	}
	p.Facts = []fact{
		{"Target", visible(s.Target)}, {"Server", orDash(visible(s.Server))}, {"From", clock(s.First)}, {"To", clock(s.Last)},
		{"Requests", grouped(s.Requests)}, {"Logs", grouped(int64(s.Inputs)) + ", " + size(s.Bytes)},
	}
	if s.Incomplete() {
		var what []string
		if s.Damaged > 0 {
			what = append(what, report.Count(int(s.Damaged), "damaged record"))
		}
		if n := len(s.Unreadable); n > 0 {
			what = append(what, report.Count(n, "log")+" not read to the end")
		}
		p.Alarm = "Incomplete: " + strings.Join(what, ", ") + "."
	}
	p.Levels, p.Looked = levels(s), examined(d)
	for _, note := range d.Notes {
		p.Notes = append(p.Notes, visible(note))
	}
	return p
}

type pageData struct {
	Tables []*sheet       `json:"tables"`
	Fights []fightDrawing `json:"fights"`
}

// levels returns the number of events for each audit level, with an explanation.
func levels(s *Summary) []fact {
	var out []fact
	for _, x := range []struct{ name, tells string }{
		{"RequestResponse", "what was sent and what the server made of it"},
		{"Request", "what was sent, but not what became of it"},
		{"Metadata", "who did what to which object, without any content"},
		{"unknown", "the records do not say their level"},
	} {
		if n := s.Levels[x.name]; n > 0 {
			out = append(out, fact{x.name, fmt.Sprintf("%s of %s: %s", grouped(n), report.Count(s.Events, "event"), x.tells)})
		}
	}
	return out
}

// examined returns the numbers of records and files that were read, damaged or left out.
func examined(d *Document) []fact {
	s := &d.Summary
	out := []fact{{"Records", fmt.Sprintf("%s, audit events among them: %s", grouped(s.Records), grouped(s.Events))}}
	add := func(n int64, name, noun, text string) {
		if n > 0 {
			if n != 1 {
				noun += "s"
			}
			out = append(out, fact{name, grouped(n) + " " + noun + " " + text})
		}
	}
	add(s.Foreign, "Foreign", "record", "without an audit event")
	add(s.Damaged, "Damaged", "record", "that could not be read")
	add(int64(len(s.Unreadable)), "Unreadable", "log", "that could not be read to the end")
	add(s.Copies, "Copies", "event", "that occurred before and was not counted again")
	add(s.Filtered, "Filtered", "request", "that filters left out")
	add(s.OpenWatches, "Open", "request", "that had not ended when the log did")
	c := &d.Contention
	if c.Off {
		return append(out, fact{"Fights", "were not looked for"})
	}
	out = append(out, fact{"Fights", fmt.Sprintf("writes compared: %s; objects with several writers: %s; a fight has at least %s of values no older than %s; where the log has no bodies, three times as many turns, and an answer is soon within %s",
		grouped(c.Writes), grouped(c.Objects), report.Count(c.MinReversals, "reversal"), trimZeroUnits(c.Window), trimZeroUnits(c.Answer))})
	add(c.Undecided, "Undecided", "object", "that several writers take turns on: which fields they write is not in the log")
	add(c.Forgotten, "Forgotten", "write", "forgotten to bound memory: fights among these are not seen")
	add(c.Unread, "Unread", "write", "without its fields, to bound memory")
	return out
}

// trimZeroUnits removes trailing zero units from a duration: "1h0m0s" becomes "1h".
func trimZeroUnits(s string) string {
	s = strings.TrimSuffix(s, "0s")
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	if s == "" || s[len(s)-1] >= '0' && s[len(s)-1] <= '9' {
		s += "0s"
	}
	return s
}

// releaseCard is a release with the clients that must change before it.
type releaseCard struct {
	Release  string `json:"-"`
	Title    string
	Gone     bool
	Rejected bool // true if the server that wrote the logs already rejects the requests
	Clients  int
	APIs     int
	Requests string
	Who      []string
	More     int
}

// releaseCards returns the cards of releases, beginning with the releases up to the
// target. Clients that read all resources need no change and are left out.
func releaseCards(d *Document) []releaseCard {
	type sets struct {
		card          releaseCard
		clients, apis map[string]bool
		requests      int64
	}
	type key struct {
		release  string
		rejected bool
	}
	by := map[key]*sets{}
	var order []key
	for _, r := range d.uses {
		if r.Wildcard {
			continue
		}
		k := key{r.Removed, r.unserved}
		x := by[k]
		if x == nil {
			x = &sets{card: releaseCard{Release: orDash(visible(k.release)), Rejected: k.rejected}, clients: map[string]bool{}, apis: map[string]bool{}}
			by[k] = x
			order = append(order, k)
		}
		user, agent, api := r.values[useUser], r.values[useAgent], r.values[useAPI]
		if who := user + "\x00" + agent; !x.clients[who] {
			x.clients[who] = true
			if len(x.card.Who) < 3 {
				x.card.Who = append(x.card.Who, visible(clientName(user, agent)))
			}
		}
		x.apis[api] = true
		x.requests += r.Count
		x.card.Gone = x.card.Gone || r.Gone
	}
	slices.SortFunc(order, func(a, b key) int {
		if a.rejected != b.rejected {
			return truth(b.rejected) - truth(a.rejected)
		}
		if by[a].card.Gone != by[b].card.Gone {
			if by[a].card.Gone {
				return -1
			}
			return 1
		}
		return compareReleases(a.release, b.release)
	})
	out := []releaseCard{}
	for _, k := range order {
		x, release := by[k], k.release
		c := x.card
		c.Clients, c.APIs, c.Requests = len(x.clients), len(x.apis), grouped(x.requests)
		c.More = c.Clients - len(c.Who)
		switch {
		case k.rejected && release == "":
			c.Title = "Rejected already"
		case k.rejected:
			c.Title = "Rejected already, gone in " + visible(release)
		case release == "" && c.Gone:
			c.Title = "Not served by the target"
		case release == "":
			c.Title = "Deprecated, no end announced"
		default:
			c.Title = "Act before " + visible(release)
		}
		out = append(out, c)
	}
	return out
}

// compareReleases compares release numbers, so that "1.9" is before "1.22". The empty
// release, for APIs without a removal, comes last.
func compareReleases(a, b string) int {
	if (a == "") != (b == "") {
		if a == "" {
			return 1
		}
		return -1
	}
	if c := compare(int64(len(a)), int64(len(b))); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

func clientName(user, agent string) string {
	if agent == "" {
		return user
	}
	return user + " (" + agent + ")"
}
