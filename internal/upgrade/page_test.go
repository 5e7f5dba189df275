package upgrade

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
	"github.com/kubevet/kubevet/rules"
)

// manyOwners returns a report with n owners. Each owner must replace an API, should
// change a field, and has an object that is already broken. The first owner has the field
// in two places.
func manyOwners(t testing.TB, n int) *Report {
	t.Helper()
	var all []Fact
	for i := range n {
		owner := fmt.Sprintf("@team-%d", i)
		fact := Fact{OwnerKind: "team", OwnerName: owner, API: budget(t), Rule: "removedapi", Severity: rules.Error, Minors: ParseMinors("1.25..1.26"), Replacement: "policy/v1 PodDisruptionBudget",
			Evidence: Evidence{Source: "manifests", File: fmt.Sprintf("deploy/%d/pdb.yaml", i), Line: i + 1, Object: "PodDisruptionBudget web"}}
		field := Fact{OwnerKind: "team", OwnerName: owner, Subject: fmt.Sprintf("v1 Pod spec.field%d", i), Rule: "deprecatedfield", Severity: rules.Warning, Minors: ParseMinors("1.24..1.26"), Text: "an old field",
			Evidence: Evidence{Source: "manifests", File: "pod.yaml", Line: i + 1}}
		broken := field
		broken.Subject, broken.Rule, broken.Severity, broken.Text = "v1 Pod spec.containers", "invalidfield", rules.Error, "is required"
		all = append(all, fact, field, broken)
		if i == 0 {
			field.Evidence.Line = n + 1
			all = append(all, field)
		}
	}
	r := testUpgrade.Merge(all)
	r.Sources = []Source{{Kind: "manifests", Given: true, Text: "many", Gaps: []string{"a gap"}}}
	return r
}

func rendered(t testing.TB, r *Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := r.Write("html", &out, Look{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestPageBounds checks that a page says how many entries it leaves out.
func TestPageBounds(t *testing.T) {
	page := rendered(t, manyOwners(t, 1000))
	if len(page) > 3e6 {
		t.Errorf("%d bytes", len(page))
	}
	for _, want := range []string{"1,000 more entries not shown here", "500 more owners not listed", "Not ready for 1.26: 1000 changes are required, by 1000 owners."} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := bytes.Count(page, []byte("Use policy/v1 PodDisruptionBudget.")); n != 1 {
		t.Errorf("the fix is there %d times", n)
	}
}

// TestPageUse groups, filters, ticks, sorts and prints the page in a browser. It also
// checks that the address has the state of the page.
func TestPageUse(t *testing.T) {
	page := rendered(t, manyOwners(t, 7))
	got := webpagetest.Use(t, page, "", `
  const hash = () => decodeURIComponent(location.hash), click = async (selector, i = 0) => { visible(selector)[i].click(); await wait(200); };
  out.verdict = text("h1");
  out.start = text("[data-shown]") + "; " + visible(".group").length + " groups";
  await click(".counts .must a");
  out.must = text("[data-shown]") + " " + hash();
  await click("[data-clear]");
  out.clear = text("[data-shown]") + " " + hash();
  await click("input[value=owner]");
  out.owners = visible("#to-1\\.25 .group h4")[0].innerText + ": " + visible("#to-1\\.25 .unit").length + " " + visible("#to-1\\.25 .what")[0].innerText + " " + hash();
  const box = visible("#to-1\\.25 .unit input")[0];
  box.click();
  await wait(200);
  out.done = text("[data-progress] span") + " " + (hash() === "#by=owner&done=" + box.dataset.done);
  await click("[data-state=hide]");
  out.hidden = text("[data-shown]");
  await click("[data-clear]");
  const pick = document.getElementById("pick-owner");
  pick.value = pick.options[2].value;
  pick.dispatchEvent(new Event("change"));
  await wait(200);
  out.picked = text("[data-shown]") + " " + hash().includes("owner=" + pick.value) + " " + document.getElementById("already").open;
  pick.value = "";
  pick.dispatchEvent(new Event("change"));
  const search = document.querySelector("input[type=search]");
  search.value = "FIELD3 team-3";
  search.dispatchEvent(new Event("input"));
  await wait(400);
  out.found = text("[data-shown]") + " " + visible(".unit").length + " " + text(".part.nothing .empty");
  search.value = "";
  search.dispatchEvent(new Event("input"));
  await wait(400);
  const table = document.getElementById("owner-table");
  table.querySelectorAll("th button")[0].click();
  table.querySelectorAll("th button")[0].click();
  await wait(200);
  out.sorted = table.rows[1].cells[0].innerText + " " + table.rows[0].cells[0].getAttribute("aria-sort") + " " + hash().includes("sort-owner-table=-1");
  dispatchEvent(new Event("beforeprint"));
  out.print = visible("#plan .places li").length + " " + visible("#plan details:not([open])").length;
  dispatchEvent(new Event("afterprint"));
  out.back = visible("#plan .places li").length + "";
`)
	want := map[string]string{
		"verdict": "Not ready for 1.26: 7 changes are required, by 7 owners.",
		"start":   "21 entries; 8 groups", "must": "7 of 21 entries shown #level=must", "clear": "21 entries ",
		"owners": "team @team-0: 7 policy/v1beta1 PodDisruptionBudget Not served from 1.25 on. Fix: Use policy/v1 PodDisruptionBudget.  #by=owner",
		"done":   "1 of 7 done true", "hidden": "20 of 21 entries shown", "picked": "3 of 21 entries shown true true",
		"found": "1 of 21 entries shown 1 Nothing here matches the filters.", "sorted": "@team-6 descending true", "print": "2 0", "back": "0",
	}
	if !maps.Equal(got, want) {
		for k := range want {
			if got[k] != want[k] {
				t.Errorf("%s: %q, want %q", k, got[k], want[k])
			}
		}
	}
	// An address restores the state that it has.
	got = webpagetest.Use(t, page, "#by=owner&level=must,already&q=team-2&done=zzzzzz", `
  out.state = text("[data-shown]") + " " + visible("input:checked").map((e) => e.value).join(" ") + " " + visible("input[type=search]")[0].value;
`)
	if want := "2 of 21 entries shown must already team-2"; !strings.Contains(got["state"], "2 of 21 entries shown") || !strings.HasSuffix(got["state"], "must already team-2") {
		t.Errorf("%q, want %q", got["state"], want)
	}
}

// TestPageNarrow checks that a page with very long names fits on a phone without
// horizontal scrolling.
func TestPageNarrow(t *testing.T) {
	r := manyOwners(t, 3)
	long := strings.Repeat("x", 400)
	for o, it := range r.items() {
		o.Name, it.Subject, it.Text, it.Replacement = long+o.Name, long, long, long
		it.Evidence[0].File, it.Evidence[0].Object = long, long
	}
	tab := webpagetest.Open(t, rendered(t, r), "")
	for _, width := range []int{1400, 768, 390, 320} {
		tab.View(width, 800, "dark")
		got := tab.Eval(`
  await wait(200);
  const beyond = visible("body *").filter((e) => e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll"));
  return Math.max(0, document.documentElement.scrollWidth - innerWidth) + beyond.map((e) => " " + e.tagName + "." + e.className).join("");`)
		if got != "0" {
			t.Errorf("at %d px: %s px too wide", width, got)
		}
	}
}

// TestPageShare clicks the button that copies the link to the current state, with and
// without access to the clipboard.
func TestPageShare(t *testing.T) {
	tab := webpagetest.Open(t, rendered(t, manyOwners(t, 7)), "")
	tab.Call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	tab.Call("Browser.grantPermissions", map[string]any{"permissions": []string{"clipboardReadWrite", "clipboardSanitizedWrite"}}, nil)
	tab.Click(".counts .should a")
	tab.Click(".switch label:nth-of-type(2)")
	tab.Type("input[type=search]", "field3")
	tab.Click("#to-1\\.25 .unit input, #later .unit input")
	tab.Click("[data-share]")
	got := tab.Eval(`return text("[data-share]") + " " + (await navigator.clipboard.readText()).replace(/.*#/, "").replace(/done=[a-z0-9]+/, "done=ID");`)
	if want := "Link copied by=owner&done=ID&level=should&q=field3"; got != want {
		t.Errorf("copied %q, want %q", got, want)
	}
	tab.Call("Browser.resetPermissions", nil, nil)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		tab.Call("Browser.setPermission", map[string]any{"permission": map[string]any{"name": name}, "setting": "denied"}, nil)
	}
	tab.Eval(`await wait(3100);`)
	tab.Click("[data-share]")
	got = tab.Eval(`return text("[data-share]") + " " + (document.activeElement.value === location.href) + " " + getSelection().toString().includes("q=field3");`)
	if want := "Copy it from here: true true"; got != want {
		t.Errorf("without clipboard %q, want %q", got, want)
	}
}
