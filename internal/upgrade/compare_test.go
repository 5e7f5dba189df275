package upgrade

import (
	"bytes"
	"strings"
	"testing"
)

// throughJSON writes a report as JSON and returns the report that Read reads from this
// JSON.
func throughJSON(t testing.TB, r *Report) *Report {
	t.Helper()
	var out bytes.Buffer
	if err := r.Write("json", &out, Look{}); err != nil {
		t.Fatal(err)
	}
	back, err := Read(&out)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestCompare(t *testing.T) {
	last, now := throughJSON(t, manyOwners(t, 5)), manyOwners(t, 7)
	now.MustAct = now.MustAct[2:] // the items of two owners are done
	now.Compare(last, "last.json")
	if got, want := now.Compared, (Compared{Since: "last.json", New: 6, Done: 2, Open: 13}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, d := range now.Done {
		if !d.Must || d.Owner != "@team-0" && d.Owner != "@team-1" {
			t.Errorf("%+v", d)
		}
	}
	for o, it := range now.items() {
		if want := map[bool]string{true: newsNew, false: newsKnown}[o.Name >= "@team-5"]; it.News != want {
			t.Errorf("%s %s is %s", o.Name, it.Subject, it.News)
		}
	}
	for format, want := range map[string]string{"html": "<b>2</b> done", "markdown": "- [x] &#64;<!-- -->team-0: <code>policy/v1beta1 PodDisruptionBudget</code>", "text": "Since last.json: 2 done, 6 new, 13 still open"} {
		var out bytes.Buffer
		if err := now.Write(format, &out, Look{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s lacks %q", format, want)
		}
	}
}

// TestCompareUnknown checks that an item is not done if its kind of evidence was not
// examined again.
func TestCompareUnknown(t *testing.T) {
	last := throughJSON(t, manyOwners(t, 5))
	for name, change := range map[string]func(*Report){
		"unreadable":    func(r *Report) { r.Summary.Incomplete = true },
		"without files": func(r *Report) { r.Sources[0].Given = false },
	} {
		now := manyOwners(t, 0)
		change(now)
		if now.Compare(last, "x"); now.Compared.Done != 0 {
			t.Errorf("%s: %d done", name, now.Compared.Done)
		}
	}
}

func TestAccept(t *testing.T) {
	r := manyOwners(t, 7)
	r.Accept(throughJSON(t, manyOwners(t, 5)))
	if s := r.Summary; s.MustAct != 2 || s.ShouldAct != 4 || s.Accepted != 15 || s.Owners != 2 || len(r.MustAct) != 2 {
		t.Errorf("%+v", s)
	}
	// The items were in shouldAct when they were accepted, and are in mustAct now. So
	// they stay.
	baseline := manyOwners(t, 5)
	baseline.MustAct, baseline.ShouldAct = nil, baseline.MustAct
	r = manyOwners(t, 5)
	if r.Accept(baseline); r.Summary.MustAct != 5 {
		t.Errorf("%+v", r.Summary)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"", "{}", "[]", `{"findings":[]}`, `{"from":"1.24"}`, "\x00"} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
