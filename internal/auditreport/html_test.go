package auditreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
	"golang.org/x/net/html"
)

// markupNames has names that become markup, scripts or addresses if a page does not escape
// them. Some of them hide the text next to them.
var markupNames = []string{
	`</script><script>document.title="pwned"</script>`, `</title><script>document.title="pwned"</script>`, `</style><img src=x onerror=document.title="pwned">`,
	`<!--<script>`, `]]><svg onload=alert(1)>`, `" onmouseover="document.title='pwned'" x="`, `' autofocus onfocus=document.title='pwned' '`, "javascript:alert(1)",
	"`${document.title='pwned'}`", "{{.Data}}", "\u202egnp.exe", "a\u2066b\u2069", "nul\x00byte", "\x1b]0;pwned\x07", "\u2028\u2029", "&lt;b&gt;", "=\"=", "__proto__", "constructor",
}

// withCode adds Go code to a document. The names are in all its texts.
func withCode(d *Document, names []string) *Document {
	d.Code = &Code{}
	for _, n := range names {
		at := CodePlace{File: n, Line: 1, Column: 2, Does: n}
		d.Code.Modules = append(d.Code.Modules, CodeModule{Module: n, Directory: n})
		d.Code.Unknown = append(d.Code.Unknown, CodeClient{n, n, n})
		d.Code.Origins = append(d.Code.Origins, CodeOrigin{Rule: n, Subject: n, User: n, Agent: n, Manager: n, Confidence: n, Name: n, Module: n, Package: n, Places: []CodePlace{at}, Named: &at},
			CodeOrigin{Named: &at})
	}
	return d
}

// parsePage renders a page and parses it like a browser.
func parsePage(t testing.TB, d *Document) (*html.Node, []byte) {
	t.Helper()
	out := render(t, d, "html")
	n, err := html.Parse(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return n, out
}

// elements counts the elements of a page. The key has the names of the element and of its
// attributes.
func elements(n *html.Node, into map[string]int) {
	for c := range n.Descendants() {
		if c.Type == html.CommentNode {
			into["comment"]++
		}
		if c.Type != html.ElementNode || c.Data == "wbr" { // wbr allows a line break in a long word
			continue
		}
		var names []string
		for _, a := range c.Attr {
			names = append(names, a.Key)
		}
		slices.Sort(names)
		into[c.Data+" "+strings.Join(names, " ")]++
	}
}

// TestHTMLHostile compares a page with hostile names and a page with harmless names. Both
// must have the same elements and attributes. The content security policy must allow only
// the page's own script and style. No address may lead out of the page.
func TestHTMLHostile(t *testing.T) {
	var tame []string
	for i := range markupNames {
		tame = append(tame, fmt.Sprintf("name%d", i))
	}
	nice, _ := parsePage(t, withCode(sample(t, tame), tame))
	nasty, out := parsePage(t, withCode(sample(t, markupNames), markupNames))
	// Removing versions makes some hostile names equal, and equal rows are merged. So the
	// counts of harmless elements differ and are not compared.
	want, got := map[string]int{}, map[string]int{}
	elements(nice, want)
	elements(nasty, got)
	for name, n := range got {
		if want[name] == 0 {
			t.Errorf("%d elements %q that harmless names do not make", n, name)
		}
		switch tag, _, _ := strings.Cut(name, " "); tag {
		case "script", "style", "meta", "form", "input", "a", "title", "link", "base", "img", "iframe", "noscript":
			if n != want[name] {
				t.Errorf("%d elements %q, want %d", n, name, want[name])
			}
		}
	}
	for n := range nasty.Descendants() {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	for _, hidden := range []string{"\u202e", "\u2066", "\u2028", "\u2029", "\x00", "\x1b", "\ufffd"} {
		if bytes.Contains(out, []byte(hidden)) {
			t.Errorf("the page has %q", hidden)
		}
	}
	if !bytes.Contains(out, []byte(`\u202egnp.exe`)) {
		t.Error("the escaped name is not in the page")
	}
}

// TestHTMLData checks that the JSON for the script has every row of the document.
func TestHTMLData(t *testing.T) {
	d := sample(t, markupNames)
	page, _ := parsePage(t, d)
	var data struct {
		Tables []sheet
		Fights []fightDrawing
	}
	for n := range page.Descendants() {
		if n.Data != "script" || len(n.Attr) == 0 {
			continue
		}
		if err := json.Unmarshal([]byte(n.FirstChild.Data), &data); err != nil {
			t.Fatal(err)
		}
	}
	rows := map[string]int{}
	for _, s := range data.Tables {
		rows[s.ID] = len(s.Rows)
		for _, r := range s.Rows {
			if len(r) != len(s.Columns) {
				t.Errorf("%s: %d cells in %d columns", s.ID, len(r), len(s.Columns))
			}
		}
	}
	if rows["uses"]+rows["rejected"] != len(d.uses) || rows["uses"] < 10 {
		t.Errorf("%d uses, want %d", rows["uses"], len(d.uses))
	}
	if rows["asked"] != len(d.Deprecated.Rows) || rows["clients"] != len(d.Clients) || rows["fighting"]+rows["flapping"] != len(d.Fights) || len(data.Fights) != len(d.Fights) || len(d.Fights) == 0 {
		t.Errorf("rows: %v", rows)
	}
	drawn := map[string]int64{}
	for _, s := range data.Tables {
		for _, r := range s.Rows {
			for i, c := range s.Columns {
				spans, _ := r[i].([]any)
				if c.Kind != "spans" {
					continue
				}
				for _, x := range spans {
					var st usePeriod
					text, _ := json.Marshal(x)
					if err := json.Unmarshal(text, &st); err != nil {
						t.Fatal(err)
					}
					for _, n := range st.Counts {
						drawn[s.ID] += n
					}
				}
			}
		}
	}
	var requests, left int64
	lanes := map[string]int{}
	for _, u := range d.uses {
		client := u.values[useUser] + " " + u.values[useAgent]
		if lanes[client]++; lanes[client] > maxPeriods {
			left += u.Count
		}
		requests += u.Count
	}
	if drawn["times"] == 0 || drawn["times"] > requests || left == 0 && drawn["times"] != requests {
		t.Errorf("%d requests are drawn of %d", drawn["times"], requests)
	}
	for i, f := range data.Fights {
		var drawn int64
		for _, w := range f.Writers {
			for _, n := range w.Steps {
				drawn += n
			}
		}
		if drawn != d.Fights[i].Reversals {
			t.Errorf("%s: %d reversals are drawn, want %d", f.Object, drawn, d.Fights[i].Reversals)
		}
	}
}

// TestHTMLTop checks that --top does not shorten the list of clients that must change. If
// it shortens another list, the page must say so.
func TestHTMLTop(t *testing.T) {
	d := sample(t, []string{"one", "two", "three"})
	d.Deprecated.Left = len(d.Deprecated.Rows) - 1
	d.Deprecated.Rows = d.Deprecated.Rows[:1]
	text := string(render(t, d, "html"))
	d.deprecatedOnly, d.Clients = true, nil
	if !strings.Contains(string(render(t, d, "html")), "Not looked at: only requests to old APIs were counted.") {
		t.Error("clients that were not counted are said not to be there")
	}
	if !strings.Contains(text, fmt.Sprintf("--top left out %d rows", d.Deprecated.Left)) {
		t.Error("nothing says that rows were left out")
	}
	for _, name := range []string{"one", "two", "three"} {
		if !strings.Contains(text, "<div>"+name+"</div>") {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestHTMLNoScript checks that a page without its script shows the first rows and the
// number of the other rows. It also checks that the same document gives the same page.
func TestHTMLNoScript(t *testing.T) {
	d := manyGroups(t, 120)
	page, out := parsePage(t, d)
	rows := 0
	var beyond string
	for n := range page.Descendants() {
		if n.Data == "div" && len(n.Attr) > 1 && n.Attr[1].Val == "uses" {
			for m := range n.Descendants() {
				if m.Data == "td" && m.PrevSibling == nil {
					rows++
				}
				if m.Type == html.TextNode && strings.Contains(m.Data, "more rows") {
					beyond = m.Data
				}
			}
		}
	}
	if rows != rowsWithoutScript || beyond != fmt.Sprintf("%d more rows.", 120-rowsWithoutScript) {
		t.Errorf("%d rows and %q", rows, beyond)
	}
	if !bytes.Equal(out, render(t, d, "html")) {
		t.Error("the same document made another page")
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                          "plain",
		"a\nb":                           `"a\nb"`,
		strings.Repeat("é", maxText):     strings.Repeat("é", maxText),
		strings.Repeat("é", maxText+2):   strings.Repeat("é", maxText) + "… (2 more characters)",
		strings.Repeat("x", 100*maxText): strings.Repeat("x", maxText) + fmt.Sprintf("… (%d more characters)", 99*maxText),
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%.20q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"24h0m0s": "24h", "1m0s": "1m", "1h30m0s": "1h30m", "90ms": "90ms", "10s": "10s", "0s": "0s", "10m0s": "10m"} {
		if got := trimZeroUnits(in); got != want {
			t.Errorf("short(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := grouped(in); got != want {
			t.Errorf("grouped(%d) = %q, want %q", in, got, want)
		}
	}
}

// manyGroups returns a document with n groups of requests to deprecated APIs, n clients,
// and n/10 fights.
func manyGroups(t testing.TB, n int) *Document {
	t.Helper()
	d := sample(t, []string{"somebody"})
	d.Deprecated.GroupBy = []string{"release", "api", "user", "agent"}
	use, client, fight := d.uses[0], d.Clients[0], d.Fights[0]
	d.uses, d.Clients, d.Fights = nil, nil, nil
	for i := range n {
		u := use
		u.Removed = fmt.Sprintf("1.%d", 22+i%20)
		user, agent := fmt.Sprintf("system:serviceaccount:team-%d:controller-%d", i%300, i/3), fmt.Sprintf("manager-%d", i%7)
		u.values = []string{u.Removed, user, agent, fmt.Sprintf("example.com/v1beta%d things%d", i%3+1, i%50)}
		u.APIs = u.values[useAPI:]
		u.Count, u.Step, u.Timeline = 0, 3600, nil
		for j := range 60 {
			if n := int64((i*7919 + j*j*31) % 97 % (j%5 + 1)); n > 0 || j == 0 {
				u.Timeline = append(u.Timeline, UseStep{timeText(1_700_000_000_000_000 + int64(j)*3600e6), n + 1})
				u.Count += n + 1
			}
		}
		u.Count += int64(i * 7919 % 10007) // some of these requests have no time
		d.uses = append(d.uses, u)
		c := client
		c.User, c.Agent, c.Writes = user, agent, int64(i)
		d.Clients = append(d.Clients, c)
		if i%10 == 0 {
			f := fight
			f.Object.Name = fmt.Sprintf("object-%d", i)
			f.Reversals = int64(i)
			f.Timeline = nil
			for j := range 120 {
				f.Timeline = append(f.Timeline, FightStep{Reversals: []int64{int64(j % 3), int64((i + j) % 2)}})
			}
			d.Fights = append(d.Fights, f)
		}
	}
	return d
}

// TestHTMLUse checks in a browser that readers can sort, search, filter and expand a page.
// Screen readers must get the same information.
func TestHTMLUse(t *testing.T) {
	d := manyGroups(t, 1000)
	// The document has a single request in a very long log, and a pair of writers that
	// may fight.
	d.Summary.Last = "2099-01-01T00:00:00Z"
	d.uses[0].Count, d.uses[0].Step, d.uses[0].Timeline = 1, 1, []UseStep{{d.uses[0].First, 1}}
	d.Undecided = []Turns{{Object: d.Fights[0].Object, Writers: []TurnWriter{{User: "a"}, {User: "b"}}, Turns: 3, Decide: "log at level Request", First: d.Fights[0].First, Last: d.Fights[0].Last,
		Examples: []FightTurn{{At: d.Fights[0].Last, How: "update", File: "a.log", Line: 7, AuditID: "id-7"}}}}
	got := webpagetest.Use(t, render(t, d, "html"), "", `
  const uses = document.getElementById("uses"), rows = () => uses.querySelectorAll("tbody tr");
  const column = (name) => [...uses.querySelectorAll("th")].findIndex((h) => h.textContent === name);
  const cells = (name) => [...rows()].map((r) => r.cells[column(name)].textContent);
  const status = () => uses.querySelector(".status").textContent;
  const click = (name) => uses.querySelectorAll("th")[column(name)].querySelector("button").click();
  await wait(300);
  out.start = status() + "/" + rows().length;
  click("Requests");
  out.down = uses.querySelectorAll("th")[column("Requests")].getAttribute("aria-sort") + " " + cells("Requests").slice(0, 3).join(" ");
  click("Requests");
  out.up = uses.querySelectorAll("th")[column("Requests")].getAttribute("aria-sort") + " " + cells("Requests")[0];
  click("Gone in");
  out.release = cells("Gone in")[0] + " " + uses.querySelectorAll("[aria-sort]").length;
  [...uses.querySelectorAll(".beyond button")].find((b) => b.textContent === "Show all").click();
  await wait(1000);
  out.all = rows().length + " " + uses.querySelectorAll(".beyond button").length + " " + cells("Gone in").at(-1);
  const select = document.getElementById("uses-pick-0");
  select.value = "=1.25";
  select.dispatchEvent(new Event("change"));
  out.picked = status() + " " + new Set(cells("Gone in")).size;
  select.value = "";
  select.dispatchEvent(new Event("change"));
  const search = document.getElementById("search");
  search.value = "CONTROLLER-33 things49";
  search.dispatchEvent(new Event("input"));
  await wait(500);
  out.found = status() + " " + cells("User")[0];
  search.value = "object-990";
  search.dispatchEvent(new Event("input"));
  await wait(500);
  out.graph = document.querySelectorAll("#graph .node").length + " " + document.querySelector("figcaption").textContent.includes("99 fights left out");
  const open = document.querySelector("#fighting button.open");
  open.click();
  out.open = open.getAttribute("aria-expanded") + " " + document.querySelectorAll("#fighting tr.more .spark").length;
  open.click();
  out.closed = open.getAttribute("aria-expanded") + " " + document.querySelectorAll("#fighting tr.more").length;
  search.value = "";
  search.dispatchEvent(new Event("input"));
  await wait(500);
  const times = document.querySelector("#times button.open");
  times.click();
  out.times = times.getAttribute("aria-expanded") + " " + (document.querySelectorAll("#times tr.more .steps li").length > 20) + " " + document.querySelectorAll("#times tr.more .spark rect.later, #times tr.more .spark rect.gone").length;
  times.click();
  out.top = document.querySelectorAll("#graph path").length + " " + document.querySelector("figcaption").textContent.includes("The 24 with the most reversals of 100 fights");
  const node = [...document.querySelectorAll("#graph .node")].at(-1);
  node.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  out.key = document.querySelector("#fighting .status").textContent + " " + document.activeElement.id;
  document.querySelector(".card button").click();
  out.card = select.value + " " + document.activeElement.classList.contains("scroll"); // the class fits comes and goes with the size
  search.value = "";
  search.dispatchEvent(new Event("input"));
  await wait(500);
  document.querySelector("#undecided button.open").click();
  out.undecided = document.querySelector("#undecided tr.more").textContent;
  dispatchEvent(new Event("beforeprint"));
  out.print = document.querySelectorAll("#clients tbody tr").length + " " + document.querySelectorAll("#fighting tr.more").length;
`)
	want := map[string]string{
		"start": "1,000 rows/50", "down": "descending 10,099 10,075 10,067", "up": "ascending 1", "release": "1.22 1", "all": "1000 0 1.41",
		"picked": "50 of 1,000 rows 1", "found": "2 of 1,000 rows system:serviceaccount:team-99:controller-333", "graph": "3 true", "open": "true 2", "closed": "false 0",
		"times": "true true 38", "top": "48 true", "key": "1 of 100 rows search", "card": "=1.22 true", "print": "1000 50",
		"undecided": "How to decide: log at level Request.2026-11-21 10:01:04Z: update by a, a.log line 7, audit ID id-7",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// BenchmarkHTML renders a page with 10,000 groups, 10,000 clients and 1,000 fights.
func BenchmarkHTML(b *testing.B) {
	d := manyGroups(b, 10_000)
	for b.Loop() {
		b.SetBytes(int64(len(render(b, d, "html"))))
	}
}
