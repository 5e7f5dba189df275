package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readMeasurements reads the results that measureAll has written. It leaves out modules
// that were not measured.
func readMeasurements(out string, list []module) (map[string]*measurement, error) {
	got := map[string]*measurement{}
	for _, m := range list {
		data, err := os.ReadFile(filepath.Join(out, m.Name+".json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r := new(measurement)
		if err := json.Unmarshal(data, r); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		if r.Revision != m.revision() {
			return nil, fmt.Errorf("%s was measured at %s, the labels are for %s", m.Name, r.Revision, m.revision())
		}
		got[m.Name] = r
	}
	return got, nil
}

// tally counts the right, wrong and unknown answers to one question.
type tally struct{ right, wrong, unknown int }

func (t tally) String() string {
	n := t.right + t.wrong + t.unknown
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d (%.1f %%), %d wrong, %d unknown", t.right, n, 100*float64(t.right)/float64(n), t.wrong, t.unknown)
}

// score prints the tables for BENCHMARKS.md.
func score(list []module, got map[string]*measurement, w io.Writer) error {
	labels, err := readLines[label]("testdata/labels/draw.jsonl")
	if err != nil {
		return err
	}
	judged, err := readLines[judgement]("testdata/labels/findings.jsonl")
	if err != nil {
		return err
	}
	spots, err := readLines[spot]("testdata/labels/places.jsonl")
	if err != nil {
		return err
	}
	fitted, late := map[string]bool{}, map[string]bool{}
	for _, m := range list {
		fitted[m.Name], late[m.Name] = m.Fitted, m.Late
	}
	resolution(labels, got, fitted, w)
	recall(labels, spots, got, w)
	precision(judged, got, fitted, late, w)
	heldOut(list, judged, got, w)
	costs(list, got, w)
	return nil
}

// sent returns the index of the call that sends a request. begin is the place where the
// request begins. It returns -1 if there is none.
func sent(calls []call, begin string) int {
	return slices.IndexFunc(calls, func(c call) bool { return c.Family == "rest" && line(c.At) == line(begin) })
}

// resolution compares the results of package apicall for the drawn writes with the
// labels.
func resolution(labels []label, got map[string]*measurement, fitted map[string]bool, w io.Writer) {
	type column struct{ found, family, verb, manager, dryRun, force tally }
	var all, unseen column
	wrapped, none, falseWrites := 0, 0, 0
	var wrong []string
	for _, l := range labels {
		m := got[l.Module]
		if m == nil {
			continue
		}
		i, ok := slices.BinarySearchFunc(m.Calls, l.At, func(c call, at string) int { return strings.Compare(c.At, at) })
		switch {
		case l.Kind == "wrapper":
			wrapped++
			continue
		case l.Kind == "none":
			none++
			if ok {
				falseWrites++
				wrong = append(wrong, fmt.Sprintf("%s %s: no write, taken for one", l.Module, l.At))
			}
			continue
		}
		count := func(pick func(*column) *tally, answer int) {
			for _, c := range []*column{&all, &unseen} {
				if c == &unseen && fitted[l.Module] {
					continue
				}
				switch t := pick(c); answer {
				case 1:
					t.right++
				case 0:
					t.unknown++
				default:
					t.wrong++
				}
			}
		}
		if !ok {
			// The label has the place where a request begins. The result has the place
			// where it is sent.
			i = sent(m.Calls, l.At)
			ok = i >= 0
		}
		if !ok {
			count(func(c *column) *tally { return &c.found }, -1)
			wrong = append(wrong, fmt.Sprintf("%s %s: %s is not found", l.Module, l.At, l.Callee))
			continue
		}
		c := m.Calls[i]
		count(func(c *column) *tally { return &c.found }, 1)
		compare := func(what, want, have string, pick func(*column) *tally, answer int) {
			count(pick, answer)
			if answer < 0 {
				wrong = append(wrong, fmt.Sprintf("%s %s: %s is taken for %s, it is %s", l.Module, l.At, what, have, want))
			}
		}
		compare("family", l.Family, c.Family, func(c *column) *tally { return &c.family }, agreement(familyName(l.Family), c.Family))
		compare("verb", l.Verb, c.Verb, func(c *column) *tally { return &c.verb }, sameVerb(l, c))
		setting := func(what, want, own, whole string, pick func(*column) *tally) {
			if want == "" || want == "none" {
				return
			}
			if l.Family == "helper" {
				// A resource.Helper has its settings itself. Its calls have none.
				own = whole
			}
			compare(what, want, own, pick, sameSetting(want, own, whole))
		}
		setting("field manager", l.Manager, c.OwnManager, c.Manager, func(c *column) *tally { return &c.manager })
		setting("dry run", l.DryRun, c.OwnDryRun, c.DryRun, func(c *column) *tally { return &c.dryRun })
		setting("force", l.Force, c.OwnForce, c.Force, func(c *column) *tally { return &c.force })
	}
	fmt.Fprintf(w, "### How writes are understood\n\n| | all modules | modules that were not read for the design |\n|---|---|---|\n")
	row := func(name string, pick func(column) tally) {
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, pick(all), pick(unseen))
	}
	row("found", func(c column) tally { return c.found })
	row("family of client", func(c column) tally { return c.family })
	row("verb", func(c column) tally { return c.verb })
	row("field manager", func(c column) tally { return c.manager })
	row("dry run", func(c column) tally { return c.dryRun })
	row("force", func(c column) tally { return c.force })
	fmt.Fprintf(w, "\nNot counted above: %d calls of a project's own wrappers; %d that write nothing, %d of them taken for writes.\n\n", wrapped, none, falseWrites)
	for _, line := range wrong {
		fmt.Fprintf(w, "- %s\n", line)
	}
}

func familyName(family string) string {
	if family == "subresource" {
		return "runtime subresource"
	}
	return family
}

// agreement returns 1 if the answer have is right, 0 if it is unknown, and -1 if it is
// wrong.
func agreement(want, have string) int {
	switch have {
	case want:
		return 1
	case "unknown":
		return 0
	}
	return -1
}

func sameVerb(l label, c call) int {
	// A write to the subresource scale may have one of two names.
	if l.Verb == "update" && c.Verb == "scale" && (l.Family == "scale" || l.Subresource == "scale") {
		return 1
	}
	return agreement(l.Verb, c.Verb)
}

// sameSetting compares a setting in a label with a setting in the form of package
// apicall, such as "set=kubevet", "passed:opts" or "set=[All]?(client)". It returns 1 if
// they agree, 0 if this is unknown, and -1 if they differ.
func sameSetting(want, own, whole string) int {
	have := own
	if want == "client" {
		have, want = whole, "set"
	}
	state := have[:strings.IndexFunc(have+"=", func(r rune) bool { return r < 'a' || r > 'z' })]
	wantState, value, _ := strings.Cut(want, ":")
	value = strings.TrimSuffix(value, "?")
	switch {
	case state == "unknown":
		return 0
	case wantState == "passed" && strings.ContainsAny(have, ":."):
		// "set to a parameter or field" means the same as "passed".
		return 1
	case state != wantState:
		return -1
	}
	if _, constant, ok := strings.Cut(have, "="); ok && value != "" {
		constant = strings.Trim(strings.TrimSuffix(strings.TrimSuffix(constant, "(client)"), "?"), "[]")
		if constant != value {
			return -1
		}
	}
	return 1
}

// recall prints, for each rule, how many of the labelled findings kubevet reports.
func recall(labels []label, spots []spot, got map[string]*measurement, w io.Writer) {
	type count struct{ found, all, hardFound, hard int }
	type cell struct {
		count
		clusters map[string]bool
	}
	rules := map[string]*cell{}
	var missed []string
	add := func(module, rule, cluster, at string, hard, found bool) {
		c := rules[rule]
		if c == nil {
			c = &cell{clusters: map[string]bool{}}
			rules[rule] = c
		}
		if hard {
			c.hard++
			if found {
				c.hardFound++
			}
			return
		}
		c.all++
		if found {
			c.found++
		} else {
			missed = append(missed, fmt.Sprintf("%s: %s %s", rule, module, at))
		}
		key := module + " " + cluster
		c.clusters[key] = c.clusters[key] || found
	}
	seen := map[string]bool{}
	for _, l := range labels {
		m := got[l.Module]
		for rule, why := range l.Find {
			if m == nil {
				continue
			}
			seen[l.Module+" "+line(l.At)] = true
			found := slices.ContainsFunc(m.Findings, func(f finding) bool {
				return f.Rule == rule && f.about(append([]string{line(l.At)}, l.Also...)...)
			})
			add(l.Module, rule, why+folder(l.At), line(l.At), l.Hard, found)
		}
	}
	for _, s := range spots {
		m := got[s.Module]
		if s.Expect != "flag" || m == nil || !m.loaded(s.At) || seen[s.Module+" "+s.At] {
			continue
		}
		rule, _, _ := strings.Cut(s.Rule, "|")
		add(s.Module, rule, s.Why+folder(s.At), s.At, s.Hard, m.meets(s))
	}
	fmt.Fprintf(w, "\n### What is found of the labelled mistakes\n\n| rule | found | root causes | hard ones, not counted |\n|---|---|---|---|\n")
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		c := rules[rule]
		causes := 0
		for _, found := range c.clusters {
			if found {
				causes++
			}
		}
		fmt.Fprintf(w, "| `%s` | %d of %d | %d of %d | %d of %d |\n", rule, c.found, c.all, causes, len(c.clusters), c.hardFound, c.hard)
	}
	for i, m := range missed {
		if i == 0 {
			fmt.Fprint(w, "\nMissed:\n\n")
		}
		fmt.Fprintf(w, "- %s\n", m)
	}
}

func folder(at string) string {
	if i := strings.LastIndex(at, "/"); i >= 0 {
		return " " + at[:i]
	}
	return ""
}

// precision prints, for each rule, how many of the reported findings with a verdict are right.
func precision(judged []judgement, got map[string]*measurement, fitted, late map[string]bool, w io.Writer) {
	byPlace := map[string]judgement{}
	for _, j := range judged {
		byPlace[j.Module+" "+j.Rule+" "+j.At] = j
	}
	type cell struct {
		right, wrong, unjudged int
		// causes says for each root cause whether its findings are right.
		causes map[string]bool
	}
	newCell := func() *cell { return &cell{causes: map[string]bool{}} }
	rules, total, unseen, fresh := map[string]*cell{}, newCell(), newCell(), newCell()
	var wrong []string
	same := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		for _, f := range got[name].Findings {
			if !f.Default {
				continue
			}
			if rules[f.Rule] == nil {
				rules[f.Rule] = newCell()
			}
			j, ok := byPlace[name+" "+f.Rule+" "+line(f.At)]
			cause := j.Cluster
			if cause == "" {
				cause = line(f.At)
			}
			cells := []*cell{rules[f.Rule], total}
			if !fitted[name] {
				cells = append(cells, unseen)
			}
			if late[name] {
				cells = append(cells, fresh)
			}
			for _, c := range cells {
				switch {
				case !ok:
					c.unjudged++
				case j.Right:
					c.right++
				default:
					c.wrong++
				}
				if ok {
					c.causes[name+" "+f.Rule+" "+cause] = j.Right
				}
			}
			if ok && !j.Right {
				if same[name+" "+f.Rule+" "+cause]++; same[name+" "+f.Rule+" "+cause] == 1 {
					wrong = append(wrong, fmt.Sprintf("`%s`: %s %s: %s", f.Rule, name, line(f.At), j.Why))
				}
			}
		}
	}
	fmt.Fprintf(w, "\n### How many findings of the default rules are right\n\n| rule | right | root causes right | not judged |\n|---|---|---|---|\n")
	row := func(name string, c *cell) {
		right := 0
		for _, ok := range c.causes {
			if ok {
				right++
			}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %d |\n", name, share(c.right, c.right+c.wrong), share(right, len(c.causes)), c.unjudged)
	}
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		row("`"+rule+"`", rules[rule])
	}
	row("**all**", total)
	row("in modules that were not read for the design", unseen)
	row("in modules that were first looked at when the rules were done", fresh)
	for i, line := range wrong {
		if i == 0 {
			fmt.Fprint(w, "\nWrong, one of each cause:\n\n")
		}
		fmt.Fprintf(w, "- %s\n", line)
	}
}

func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d (%.0f %%)", n, of, 100*float64(n)/float64(of))
}

// costs prints the time and the number of findings of each run.
func costs(list []module, got map[string]*measurement, w io.Writer) {
	fmt.Fprintf(w, "\n### The runs\n\n| module | revision | lines | writes | default findings | per 1,000 lines | failed packages | errors of ours | CPU s |\n|---|---|---|---|---|---|---|---|---|\n")
	var lines, calls, findings, failures, internal int
	var cpu float64
	for _, m := range list {
		r := got[m.Name]
		if r == nil {
			continue
		}
		n := 0
		for _, f := range r.Findings {
			if f.Default {
				n++
			}
		}
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %s | %d | %d | %.1f |\n", m.Name, r.Revision, r.Lines, len(r.Calls), n, density(n, r.Lines), len(r.Failures), len(r.Internal), r.CPU)
		lines, calls, findings, failures, internal, cpu = lines+r.Lines, calls+len(r.Calls), findings+n, failures+len(r.Failures), internal+len(r.Internal), cpu+r.CPU
	}
	fmt.Fprintf(w, "| **all** | | %d | %d | %d | %s | %d | %d | %.1f |\n", lines, calls, findings, density(findings, lines), failures, internal, cpu)
}

func density(n, lines int) string {
	if lines == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", 1000*float64(n)/float64(lines))
}
