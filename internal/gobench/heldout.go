package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// heldOut prints results for the held-out modules, which were first examined after the
// rules were complete. The first result is from the first run over each module, and is
// taken from the labels. The second result is the number of findings that are right in
// got, the run of today.
func heldOut(list []module, judged []judgement, got map[string]*measurement, w io.Writer) {
	type count struct {
		right, all int
		causes     map[string]bool
	}
	add := func(counts map[string]*count, key string, j judgement) {
		c := counts[key]
		if c == nil {
			c = &count{causes: map[string]bool{}}
			counts[key] = c
		}
		c.all++
		if j.Right {
			c.right++
		}
		cause := j.Cluster
		if cause == "" {
			cause = j.At
		}
		c.causes[j.Module+" "+j.Rule+" "+cause] = j.Right
	}
	round, modules := map[string]int{}, map[int]int{}
	for _, m := range list {
		if round[m.Name] = m.HeldOut; m.HeldOut > 0 {
			modules[m.HeldOut]++
		}
	}
	today := map[string]bool{}
	for name, m := range got {
		for _, f := range m.Findings {
			if f.Default {
				today[name+" "+f.Rule+" "+line(f.At)] = true
			}
		}
	}
	first, now := map[string]*count{}, map[string]*count{}
	for _, j := range judged {
		if round[j.Module] == 0 {
			continue
		}
		name := fmt.Sprintf("round %d, %d modules", round[j.Module], modules[round[j.Module]])
		for _, key := range []string{name, "`" + j.Rule + "`", "all"} {
			if j.First {
				add(first, key, j)
			}
			if today[j.Module+" "+j.Rule+" "+j.At] {
				add(now, key, j)
			}
		}
	}
	if len(first) == 0 {
		return
	}
	fmt.Fprintf(w, "\n### Held-out modules\n\n| | first run: right | root causes right | now: right | root causes right |\n|---|---|---|---|---|\n")
	cells := func(c *count) string {
		if c == nil {
			return "– | –"
		}
		right := 0
		for _, ok := range c.causes {
			if ok {
				right++
			}
		}
		return share(c.right, c.all) + " | " + share(right, len(c.causes))
	}
	keys := maps.Clone(first)
	maps.Copy(keys, now)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		fmt.Fprintf(w, "| %s | %s | %s |\n", key, cells(first[key]), cells(now[key]))
	}
}
