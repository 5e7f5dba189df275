package lintrun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// renderedFindings collects the findings in rendered objects. Several builds may render
// one source, so equal findings are collected once.
type renderedFindings struct {
	list  []rules.Finding
	index map[renderedKey]int
	// repeats counts the equal findings that were left out, by rule.
	repeats map[string]int
	// reported has the findings in plain scripts. A chart may contain a copy of the
	// script.
	reported map[scriptKey]bool
	// scripts has the findings in scripts that are not reported yet.
	scripts scriptFindings
}

type renderedKey struct {
	rule, file, message              string
	severity                         rules.Severity
	line, column, endLine, endColumn int
}

type scriptKey struct {
	rule, file, message string
	line, column        int
}

func keyOfScript(f *rules.Finding) scriptKey {
	return scriptKey{f.Rule, f.File, f.Message, f.Line, f.Column}
}

// add adds a finding in a rendered object. It returns false for other findings.
func (l *renderedFindings) add(f rules.Finding) bool {
	if len(f.RenderedBy) == 0 {
		if f.Object == nil && f.Rule == "kubectldryrun" {
			if l.reported == nil {
				l.reported = map[scriptKey]bool{}
			}
			l.reported[keyOfScript(&f)] = true
		}
		return false
	}
	if l.index == nil {
		l.index, l.repeats = map[renderedKey]int{}, map[string]int{}
	}
	key := renderedKey{f.Rule, f.File, f.Message, f.Severity, f.Line, f.Column, f.EndLine, f.EndColumn}
	i, ok := l.index[key]
	if !ok {
		l.index[key] = len(l.list)
		l.list = append(l.list, f)
		return true
	}
	l.repeats[f.Rule]++
	mergeRepeat(&l.list[i], &f)
	return true
}

// mergeRepeat adds the renderers and the minors of repeated to the equal finding first.
func mergeRepeat(first, repeated *rules.Finding) {
	for _, by := range repeated.RenderedBy {
		if !slices.Contains(first.RenderedBy, by) {
			first.RenderedBy = append(first.RenderedBy, by)
		}
	}
	if first.Minors != repeated.Minors && first.Minors != "" && repeated.Minors != "" {
		first.Minors = unionMinors(first.Minors, repeated.Minors)
	}
}

// unionMinors joins lists of minors such as "1.25..1.27,1.30".
func unionMinors(lists ...string) string {
	var all lifecycle.Minors
	for _, part := range strings.Split(strings.Join(lists, ","), ",") {
		r, err := lifecycle.ParseRange(part)
		if err != nil {
			return lists[0]
		}
		for m := range r.All() {
			all = all.With(m)
		}
	}
	return all.String()
}

// removeReported removes the findings that were also reported in a plain script.
func (l *renderedFindings) removeReported() {
	if len(l.reported) == 0 {
		return
	}
	l.list = slices.DeleteFunc(l.list, func(f rules.Finding) bool {
		again := l.reported[keyOfScript(&f)]
		if again {
			l.repeats[f.Rule]++
		}
		return again
	})
}

// namedRenderers is the maximal number of renderers that a finding lists.
const namedRenderers = 3

// addRendererPlaces adds related places for the kustomizations and charts that render the
// object of f.
func addRendererPlaces(f *rules.Finding) {
	by := f.RenderedBy
	for i, name := range by {
		if i == namedRenderers && len(by) > namedRenderers+1 {
			f.Related = append(f.Related, rules.Related{File: name, Line: 1, Column: 1, EndLine: 1, EndColumn: 2,
				Message: fmt.Sprintf("renders it, and so do %d more: %d in all", len(by)-i-1, len(by))})
			return
		}
		if name == f.File && f.Rule == "syntax" {
			continue // the finding is about this renderer itself
		}
		f.Related = append(f.Related, rules.Related{File: name, Line: 1, Column: 1, EndLine: 1, EndColumn: 2, Message: "renders it"})
	}
}
