package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/oracle/fights/ledger"
)

// fight is a fight in kubevet's report.
type fight struct {
	Rule    string
	Object  ledger.Object
	Writers []struct{ User, Agent, Kind string }
	Fields  []struct{ Path string }
	Winner  *int

	Evidence, Mechanism, Cause string
	Reversals                  int
}

// flap reports whether the finding says that one client undoes its own writes.
func (f fight) flap() bool { return f.Rule != "fieldfight" }

// verdict has the numbers from comparing a report with the ledger.
type verdict struct {
	fights, found, flaps, foundFlaps  int
	reported, falseFights, falseFlaps int
	// debatableFights, debatableFound and debatableFalse count the debatable
	// entries among fights, found and falseFights.
	debatableFights, debatableFound, debatableFalse int
	parties, winners, namedFields, fields           int
	lookalikes                                      int
	// statuses are the fights over statuses, which only a report with --status-fights
	// has. The other figures do not include them. foundStatuses is -1 without such a
	// report.
	statuses, foundStatuses, falseStatuses int
	notes                                  []string
}

// key returns the name of an object for comparison. An event about a namespace
// may or may not have the namespace in its own field.
func key(o ledger.Object) string {
	if o.Resource == "namespaces" {
		o.Namespace = ""
	}
	return o.Group + "/" + o.Resource + " " + o.Namespace + "/" + o.Name
}

// ofStatus reports whether an entry is a fight in which all fields are in the
// status.
func ofStatus(e ledger.Entry) bool {
	return e.Kind == ledger.Fight && len(e.Fields) > 0 && all(e.Fields, func(f string) bool { return related(f, "status") })
}

// compare compares the ledger with two reports. report is without fights over
// statuses, and withStatuses also has them. withStatuses can be nil.
func compare(entries []ledger.Entry, report, withStatuses []byte) (*verdict, error) {
	v := &verdict{}
	if err := v.countStatuses(entries, withStatuses); err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(slices.Clone(entries), ofStatus)
	var in struct{ Fights []fight }
	if err := json.Unmarshal(report, &in); err != nil {
		return nil, err
	}
	truth := map[string]ledger.Entry{}
	for _, e := range entries {
		for _, o := range e.Objects {
			truth[key(o)] = e
		}
	}
	seen := map[string]bool{}
	for _, f := range in.Fights {
		e, known := truth[key(f.Object)]
		switch {
		case f.flap() && e.Kind == ledger.Flap:
			if !seen[e.Scene] {
				v.foundFlaps++
			}
			seen[e.Scene] = true
		case f.flap() && e.Toggles:
		case f.flap():
			v.falseFlaps++
			v.note("false flap", e, f, known)
		default:
			v.reported++
			if e.Kind != ledger.Fight {
				v.falseFights++
				if e.Debatable {
					v.debatableFalse++
				}
				v.note("false fight", e, f, known)
				continue
			}
			if !seen[e.Scene] {
				v.match(e, f)
			}
			seen[e.Scene] = true
		}
	}
	for _, e := range entries {
		switch e.Kind {
		case ledger.Fight:
			v.fights++
			if e.Debatable {
				v.debatableFights++
			}
			if !seen[e.Scene] {
				v.notes = append(v.notes, fmt.Sprintf("missed       %-30s %d turns every %s, %s: %s%s", e.Scene, e.Turns, e.Interval, e.Mechanism, e.Why, debatable(e)))
			}
		case ledger.Flap:
			v.flaps++
			if !seen[e.Scene] {
				v.notes = append(v.notes, fmt.Sprintf("missed flap  %-30s %d turns every %s: %s", e.Scene, e.Turns, e.Interval, e.Why))
			}
		default:
			v.lookalikes++
		}
	}
	slices.Sort(v.notes)
	return v, nil
}

// countStatuses counts the fights over statuses, and those of them in a report.
func (v *verdict) countStatuses(entries []ledger.Entry, report []byte) error {
	var in struct{ Fights []fight }
	if report == nil {
		v.foundStatuses = -1
	} else if err := json.Unmarshal(report, &in); err != nil {
		return err
	}
	for _, f := range in.Fights {
		if strings.HasSuffix(f.Object.Resource, "/status") && !f.flap() && !slices.ContainsFunc(entries, func(e ledger.Entry) bool { return ofStatus(e) && statusOf(e, f.Object) }) {
			v.falseStatuses++
		}
	}
	for _, e := range entries {
		if !ofStatus(e) {
			continue
		}
		v.statuses++
		if slices.ContainsFunc(in.Fights, func(f fight) bool { return !f.flap() && statusOf(e, f.Object) }) {
			v.foundStatuses++
		} else if report != nil {
			v.notes = append(v.notes, fmt.Sprintf("missed status %-29s %d turns every %s, %s: %s%s", e.Scene, e.Turns, e.Interval, e.Mechanism, e.Why, debatable(e)))
		}
	}
	return nil
}

// statusOf reports whether an object of a report is the status of an entry's object.
func statusOf(e ledger.Entry, status ledger.Object) bool {
	return slices.ContainsFunc(e.Objects, func(o ledger.Object) bool {
		o.Resource += "/status"
		return key(o) == key(status)
	})
}

// match compares a reported fight with the entry in the ledger.
func (v *verdict) match(e ledger.Entry, f fight) {
	v.found++
	if e.Debatable {
		v.debatableFound++
	}
	want, got := map[string]bool{}, map[string]bool{}
	for _, w := range e.Writers {
		want[w.User] = true
	}
	for _, w := range f.Writers {
		if w.Kind == "webhook" {
			w.User = w.Agent // events have the webhook's configuration as its user
		}
		got[w.User] = true
	}
	if len(got) == 0 || !equal(want, got) {
		v.notes = append(v.notes, fmt.Sprintf("parties      %-30s got %v, want %v", e.Scene, keys(got), keys(want)))
	} else {
		v.parties++
	}
	winner := ""
	if f.Winner != nil && *f.Winner >= 0 && *f.Winner < len(f.Writers) {
		winner = f.Writers[*f.Winner].User
	}
	if e.Winner == "" || winner == e.Winner {
		v.winners++
	} else {
		v.notes = append(v.notes, fmt.Sprintf("winner       %-30s got %q, want %q", e.Scene, winner, e.Winner))
	}
	if len(f.Fields) == 0 || len(e.Fields) == 0 {
		return
	}
	v.namedFields++
	var paths []string
	for _, p := range f.Fields {
		if !strings.Contains(p.Path, "last-applied-configuration") { // this annotation changes with the applied fields
			paths = append(paths, p.Path)
		}
	}
	within := func(all []string) func(string) bool {
		return func(p string) bool { return slices.ContainsFunc(all, func(q string) bool { return related(p, q) }) }
	}
	if all(paths, within(slices.Concat(e.Fields, e.Follows))) && all(e.Fields, within(paths)) {
		v.fields++
	} else {
		v.notes = append(v.notes, fmt.Sprintf("fields       %-30s got %v, want %v", e.Scene, paths, e.Fields))
	}
}

// related reports whether two paths are equal, or one contains the other.
func related(a, b string) bool {
	a, b = plain(a), plain(b)
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// items matches the keys or indices of list items in paths.
var items = regexp.MustCompile(`\[[^\]"]*\]|\.\d+(\.|$)`)

// plain returns a path in one notation for data["a.b"] and data.a.b, and
// without the keys of list items.
func plain(path string) string {
	path = items.ReplaceAllString(path, ".*$1")
	return strings.NewReplacer(`["`, ".", `"]`, "").Replace(path)
}

func all(s []string, f func(string) bool) bool {
	return !slices.ContainsFunc(s, func(x string) bool { return !f(x) })
}

func equal(a, b map[string]bool) bool {
	return len(a) == len(b) && all(keys(a), func(k string) bool { return b[k] })
}

func keys(m map[string]bool) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

func debatable(e ledger.Entry) string {
	if e.Debatable {
		return " (debatable)"
	}
	return ""
}

func (v *verdict) note(what string, e ledger.Entry, f fight, known bool) {
	why := "not in the ledger"
	if known {
		why = e.Kind + ": " + e.Why + debatable(e)
	}
	var paths []string
	for _, p := range f.Fields {
		paths = append(paths, p.Path)
	}
	v.notes = append(v.notes, fmt.Sprintf("%-12s %-30s %s %v, %d reversals, %s: %s", what, e.Scene, key(f.Object), paths, f.Reversals, f.Evidence, why))
}

func (v *verdict) print(w io.Writer, level string, quiet bool) {
	share := func(n, of int) string {
		if of == 0 {
			return "0/0"
		}
		return fmt.Sprintf("%d/%d %.0f%%", n, of, 100*float64(n)/float64(of))
	}
	fmt.Fprintf(w, "%s: recall %s, precision %s (%d look-alikes), flaps %s, false flaps %d; without debatable: recall %s, precision %s; parties %s, winner %s, fields %s\n",
		level, share(v.found, v.fights), share(v.reported-v.falseFights, v.reported), v.lookalikes, share(v.foundFlaps, v.flaps), v.falseFlaps,
		share(v.found-v.debatableFound, v.fights-v.debatableFights), share(v.reported-v.falseFights-v.debatableFound, v.reported-v.debatableFalse-v.debatableFound),
		share(v.parties, v.found), share(v.winners, v.found), share(v.fields, v.namedFields))
	if v.statuses > 0 && v.foundStatuses >= 0 {
		fmt.Fprintf(w, "  with --status-fights: fights over statuses %s, false %d\n", share(v.foundStatuses, v.statuses), v.falseStatuses)
	}
	if quiet {
		return
	}
	for _, note := range v.notes {
		fmt.Fprintln(w, "  "+note)
	}
}
