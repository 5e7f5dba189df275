package lintrun

import (
	"slices"

	"github.com/kubevet/kubevet/rules"
)

const (
	// maxHeld bounds the findings in scripts that are held back to be folded.
	// Further ones are reported at once, each on its own.
	maxHeld = 10_000
	// minRepeats is the number of files from which alike findings are folded.
	minRepeats = 5
	// maxRepeats is the maximal number of places of a folded finding beside its
	// own: reports have no more related places.
	maxRepeats = 100
)

// scriptFindings are findings about commands in scripts. Alike findings in many
// files, such as in copies of a README, are folded into one.
type scriptFindings struct {
	list []rules.Finding
}

// add adds a finding about a command in a script. It returns false for other
// findings, and if there are too many.
func (l *scriptFindings) add(f rules.Finding) bool {
	if f.Command == "" || f.Object != nil || len(f.RenderedBy) > 0 || len(l.list) == maxHeld {
		return false
	}
	l.list = append(l.list, f)
	return true
}

// likeness is what alike findings have in common.
type likeness struct {
	rule, command, message, minors, fix string
	severity                            rules.Severity
	safe                                bool
}

func likenessOf(f *rules.Finding) likeness {
	l := likeness{rule: f.Rule, command: f.Command, message: f.Message, minors: f.Minors, severity: f.Severity}
	if f.Fix != nil {
		l.fix, l.safe = f.Fix.Message, f.Fix.Safe
	}
	return l
}

// fold returns the findings with alike ones folded, in the order of their first
// places, and the number of findings that were folded away, by rule.
func (l *scriptFindings) fold() (folded []rules.Finding, repeats map[string]int) {
	type group struct {
		files int
		last  string // file
		first int    // in folded, the finding that takes further places
	}
	groups := map[likeness]*group{}
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

// addRepeat adds the place of an alike finding, and its fix.
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
