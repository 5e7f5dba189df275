package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The files of another data set about API lifecycles, which was made without this
// generator.
const (
	lifecycleFile = "lifecycle.jsonl"
	gatesDataFile = "feature_gates.jsonl"
)

// otherAPI is a line of lifecycle.jsonl. A version is written "1.x". A range is a
// pair of versions, both included.
type otherAPI struct {
	Group, Version, Kind, Class string
	Resource                    []string
	Namespaced                  *bool
	Introduced, Deprecated      *string
	Removed                     *string
	Replacement, Successor      *string
	ServedIfEnabled             [][2]string `json:"served_if_enabled"`
	ServedByDefault             [][2]string `json:"served_by_default"`
	Warnings                    []struct{ From, To, Text string }
	History                     []struct {
		From                             string
		Deprecated, Removed, Replacement *string
	}
}

// otherGate is a line of feature_gates.jsonl.
type otherGate struct {
	Name     string
	PerMinor map[string]struct {
		Stage           string
		Default, Locked bool
	}
}

// compare prints the differences between the tables and the data set in directory
// dir, one on each line. It compares only the minors that both have.
func compare(w io.Writer, t *table, dir string) error {
	out := bufio.NewWriter(w)
	if err := compareAPIs(out, t, filepath.Join(dir, lifecycleFile)); err != nil {
		return err
	}
	if err := compareGates(out, t, filepath.Join(dir, gatesDataFile)); err != nil {
		return err
	}
	return out.Flush()
}

func compareAPIs(w io.Writer, t *table, file string) error {
	ours := map[gvk]*api{}
	for _, a := range t.apis {
		ours[a.gvk] = a
	}
	seen := map[gvk]bool{}
	err := readLines(file, func(o *otherAPI) {
		k := gvk{o.Group, o.Version, o.Kind}
		seen[k] = true
		a := ours[k]
		servable := spans(o.ServedIfEnabled, releases[0].minor, t.newest)
		enabled := spans(o.ServedByDefault, t.oldest, t.newest)
		if a == nil {
			fmt.Fprintf(w, "%s: only there, class %s, servable %s\n", k, o.Class, servable)
			return
		}
		served := a
		if a.class == "List" {
			served = ours[a.item]
		}
		report := func(what string, ours, theirs any) {
			if fmt.Sprint(ours) != fmt.Sprint(theirs) {
				fmt.Fprintf(w, "%s: %s: ours %v, theirs %v\n", k, what, ours, theirs)
			}
		}
		report("class", strings.ToLower(a.class), o.Class)
		report("servable", served.servable&^(1<<releases[0].minor-1), servable)
		report("enabled", t.onByDefault(served), enabled)
		if a.class == "Resource" {
			report("resource", a.resource, strings.Join(o.Resource, " "))
			report("namespaced", a.namespaced, o.Namespaced != nil && *o.Namespaced)
		}
		if m := minorOf(o.Introduced); m > releases[0].minor && a.class != "List" {
			report("introduced", a.introduced, m)
		}
		report("successor", orNone(a.successor), text(o.Successor))
		var theirWarnings []string
		for _, x := range o.Warnings {
			s := spans([][2]string{{x.From, x.To}}, t.oldest, t.newest)
			theirWarnings = append(theirWarnings, fmt.Sprintf("%s %s", s, x.Text))
		}
		var ourWarnings []string
		for _, x := range a.warnings {
			ourWarnings = append(ourWarnings, fmt.Sprintf("%s %s", x.minors, x.text))
		}
		report("warnings", strings.Join(ourWarnings, " | "), strings.Join(theirWarnings, " | "))
		var theirHistory, ourHistory []string
		for _, h := range o.History {
			theirHistory = append(theirHistory, fmt.Sprintf("%s: %d %d %s", h.From[2:], minorOf(h.Deprecated), minorOf(h.Removed), text(h.Replacement)))
		}
		for _, h := range a.history {
			ourHistory = append(ourHistory, fmt.Sprintf("%d: %d %d %s", h.from, h.deprecated, h.removed, orNone(h.replacement)))
		}
		if len(a.history) == 0 { // the tables have no history without values
			theirHistory = slices.DeleteFunc(theirHistory, func(s string) bool { return strings.HasSuffix(s, ": 0 0 none") })
		}
		report("history", strings.Join(ourHistory, " | "), strings.Join(theirHistory, " | "))
	})
	if err != nil {
		return err
	}
	for _, a := range t.apis {
		if !seen[a.gvk] {
			fmt.Fprintf(w, "%s: only ours, class %s, servable %s\n", a.gvk, a.class, a.servable)
		}
	}
	return nil
}

// onByDefault returns the minors that serve an API without any settings: the
// resource configuration enables the API, and its gates are on by default.
func (t *table) onByDefault(a *api) minors {
	s := a.enabled
	for _, need := range a.gated {
		for _, g := range t.gates {
			if g.name != need.gate {
				continue
			}
			for _, span := range g.spans {
				if !span.Default {
					s &^= need.minors & span.minors
				}
			}
		}
	}
	return s
}

func compareGates(w io.Writer, t *table, file string) error {
	ours := map[string]*gate{}
	for _, g := range t.gates {
		ours[g.name] = g
	}
	seen := map[string]bool{}
	var covered minors // minors that the other data set covers
	var others []*otherGate
	err := readLines(file, func(o *otherGate) {
		others = append(others, o)
		for v := range o.PerMinor {
			covered.add(minorOf(&v))
		}
	})
	if err != nil {
		return err
	}
	for _, o := range others {
		seen[o.Name] = true
		differences := map[string]minors{}
		for m := t.oldest; m <= t.newest; m++ {
			if !covered.has(m) {
				continue
			}
			our, their := "absent", "absent"
			if s := ours[o.Name].spanAt(m); s != nil {
				our = fmt.Sprint(s.Stage, " ", s.Default, " ", s.Locked)
			}
			if s, ok := o.PerMinor["1."+strconv.Itoa(m)]; ok {
				their = fmt.Sprint(s.Stage, " ", s.Default, " ", s.Locked)
			}
			if our != their {
				key := "ours " + our + ", theirs " + their
				s := differences[key]
				s.add(m)
				differences[key] = s
			}
		}
		for _, key := range sortedKeys(differences) {
			fmt.Fprintf(w, "gate %s: %s: %s\n", o.Name, differences[key], key)
		}
	}
	for _, g := range t.gates {
		var s minors
		for _, span := range g.spans {
			s |= span.minors
		}
		if !seen[g.name] && s&covered != 0 {
			fmt.Fprintf(w, "gate %s: %s: only ours\n", g.name, s&covered)
		}
	}
	return nil
}

// spanAt returns the span of a gate that contains minor m. It returns nil if there
// is none, or if the gate is nil.
func (g *gate) spanAt(m int) *gateSpan {
	if g == nil {
		return nil
	}
	for i := range g.spans {
		if g.spans[i].minors.has(m) {
			return &g.spans[i]
		}
	}
	return nil
}

// String returns the minors as ranges: "16-21,24" is 1.16 to 1.21, and 1.24.
func (s minors) String() string {
	var parts []string
	for m := range 63 {
		if !s.has(m) || m > 0 && s.has(m-1) {
			continue
		}
		to := m
		for s.has(to + 1) {
			to++
		}
		if to == m {
			parts = append(parts, strconv.Itoa(m))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", m, to))
		}
	}
	return strings.Join(parts, ",")
}

// spans returns the minors of all ranges. Minors before oldest or after newest
// are left out.
func spans(ranges [][2]string, oldest, newest int) minors {
	var s minors
	for _, r := range ranges {
		for m := max(minorOf(&r[0]), oldest); m <= min(minorOf(&r[1]), newest); m++ {
			s.add(m)
		}
	}
	return s
}

// minorOf returns x of the version "1.x". It returns 0 for nil, and -1 if x is
// not a number.
func minorOf(v *string) int {
	if v == nil {
		return 0
	}
	_, minor, _ := strings.Cut(*v, ".")
	m, err := strconv.Atoi(minor)
	if err != nil {
		return -1
	}
	return m
}

func text(s *string) string {
	if s == nil {
		return "none"
	}
	return *s
}

func orNone(k gvk) string {
	if k == (gvk{}) {
		return "none"
	}
	return k.String()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// readLines decodes each line of a file of JSON lines and calls use with the
// result.
func readLines[T any](file string, use func(*T)) error {
	data, err := os.Open(file)
	if err != nil {
		return err
	}
	defer data.Close()
	dec := json.NewDecoder(data)
	for {
		v := new(T)
		if err := dec.Decode(v); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading %s: %w", file, err)
		}
		use(v)
	}
}
