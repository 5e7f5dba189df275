package lintrun

import (
	"slices"

	"github.com/kubevet/kubevet/rules"
)

const (
	// maxHeld is the maximal number of findings in scripts that are held back to fold
	// them. Further findings are reported one by one.
	maxHeld = 10_000
	// minRepeats is the minimal number of files with an equal finding for which findings
	// are folded.
	minRepeats = 5
	// maxRepeats is the maximal number of further places of a folded finding. Reports
	// show no more related places.
	maxRepeats = 100
)

// scriptFindings collects findings about commands in scripts. If many files have an equal
// finding, such as copies of a README, fold makes one finding of them.
type scriptFindings struct {
	list []rules.Finding
}

// add adds a finding. It returns false for a finding that is not about a command in a
// script, and if the list is full.
func (l *scriptFindings) add(f rules.Finding) bool {
	if f.Command == "" || f.Object != nil || len(f.RenderedBy) > 0 || len(l.list) == maxHeld {
		return false
	}
	l.list = append(l.list, f)
	return true
}

// repeatKey has the properties that equal findings share.
type repeatKey struct {
	rule, command, message, minors, fix string
	severity                            rules.Severity
	safe                                bool
}

func likenessOf(f *rules.Finding) repeatKey {
	l := repeatKey{rule: f.Rule, command: f.Command, message: f.Message, minors: f.Minors, severity: f.Severity}
	if f.Fix != nil {
		l.fix, l.safe = f.Fix.Message, f.Fix.Safe
	}
	return l
}

// fold returns the findings in the order of their places. Equal findings in several files
// become one finding at the first place. repeats has the number of findings that were
// left out, by rule.
func (l *scriptFindings) fold() (folded []rules.Finding, repeats map[string]int) {
	type group struct {
		files int
		last  string // the last file with this finding
		first int    // index in folded of the finding that gets further places; -1 for none
	}
	groups := map[repeatKey]*group{}
	for i := range l.list {
		key := likenessOf(&l.list[i])
		g := groups[key]
		if g == nil {
			g = &group{first: -1}
			groups[key] = g
		}
		if file := l.list[i].File; g.files == 0 || file != g.last {
			g.files, g.last = g.files+1, file
		}
	}
	repeats = map[string]int{}
	for i := range l.list {
		f := &l.list[i]
		g := groups[likenessOf(f)]
		if g.files < minRepeats || g.first < 0 || len(folded[g.first].Related) == maxRepeats {
			g.first = len(folded)
			folded = append(folded, *f)
			continue
		}
		repeats[f.Rule]++
		addRepeat(&folded[g.first], f)
	}
	return folded, repeats
}

// addRepeat adds the place and the fix of f to first.
func addRepeat(first, f *rules.Finding) {
	first.Related = append(slices.Clip(first.Related), rules.Related{
		File: f.File, Line: f.Line, Column: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn,
		Message: "the same command", Repeat: true,
	})
	if f.Fix != nil {
		all := *first.Fix
		all.Edits = slices.Concat(all.Edits, f.Fix.Edits)
		first.Fix = &all
	}
}
