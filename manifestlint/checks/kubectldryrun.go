package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/kubectl"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// kubectlDryRun reports wrong uses of the flag --dry-run in shell text.
func kubectlDryRun() manifestlint.Check {
	return manifestlint.Check{Rule: "kubectldryrun", Script: func(p *scripts.Pass) {
		type reported struct {
			at      scripts.Place
			message string
		}
		seen := map[reported]bool{}
		for i := range p.Commands {
			c := &p.Commands[i]
			for _, v := range dryRunVerdicts(c, p.Kubectl) {
				at := c.At[v.Index]
				if v.Count > 1 {
					at = joinPlaces(at, c.At[v.Index+v.Count-1])
				}
				f := rules.Finding{Path: c.Path, Message: v.Message(c.Program, c.Args[v.Index]), Replacement: v.Replacement, Command: c.Shape()}
				if v.minors != p.Kubectl.Minors() {
					f.Message += fmt.Sprintf(" (%s %s)", c.Program, v.minors)
				}
				f.Fix = dryRunFix(p, c, v, at)
				if key := (reported{at, f.Message}); !seen[key] {
					seen[key] = true
					p.Report(at, f)
				}
			}
		}
	}}
}

// joinPlaces returns the range from the beginning of a to the end of b.
func joinPlaces(a, b scripts.Place) scripts.Place {
	if b.Start < a.End {
		return a
	}
	return scripts.Place{Start: a.Start, End: b.End, Exact: a.Exact && b.Exact, Stored: a.Stored || b.Stored}
}

// dryRunVerdict is the verdict of the newest release about one argument. minors
// has all releases with a verdict about this argument.
type dryRunVerdict struct {
	kubectl.Verdict
	minors lifecycle.Minors
}

// dryRunVerdicts checks a command for each release. The verdicts are in the
// order of the arguments.
func dryRunVerdicts(c *scripts.Command, releases lifecycle.Range) []dryRunVerdict {
	var all []dryRunVerdict
	for m := range releases.All() {
		for _, v := range kubectl.Check(c.Program, c.Args, m) {
			if slices.Contains(c.Versioned[v.Index:v.Index+v.Count], true) {
				continue // the script chooses the argument by release, so it may be correct
			}
			n := slices.IndexFunc(all, func(other dryRunVerdict) bool { return other.Index == v.Index })
			if n < 0 {
				all = append(all, dryRunVerdict{})
				n = len(all) - 1
			}
			all[n].Verdict, all[n].minors = v, all[n].minors.With(m)
		}
	}
	slices.SortFunc(all, func(a, b dryRunVerdict) int { return a.Index - b.Index })
	return all
}

// dryRunFix returns the edit that writes the correct argument; nil if the fix
// needs more than one edit, or is wrong for a release of the target.
func dryRunFix(p *scripts.Pass, c *scripts.Command, v dryRunVerdict, at scripts.Place) *rules.CodeFix {
	flag := c.Args[v.Index]
	if v.Replacement == "" || flag.Open || flag.Many || !c.At[v.Index].Exact || p.Text(c.At[v.Index]) != flag.Text {
		return nil
	}
	if v.Count > 1 {
		value := c.At[v.Index+1]
		if !value.Exact || value.Start < c.At[v.Index].End ||
			strings.Trim(p.Text(scripts.Place{Start: c.At[v.Index].End, End: value.Start}), " \t") != "" {
			return nil
		}
	}
	args := slices.Clone(c.Args)
	args[v.Index].Text = v.Replacement
	args = slices.Delete(args, v.Index+1, v.Index+v.Count)
	for m := range p.Kubectl.All() {
		if len(kubectl.Check(c.Program, args, m)) > 0 {
			return nil
		}
	}
	return &rules.CodeFix{
		Message: fmt.Sprintf("write %s", v.Replacement),
		Safe:    v.Safe && !at.Stored,
		Edits:   []rules.Edit{p.Edit(at, v.Replacement)},
	}
}
