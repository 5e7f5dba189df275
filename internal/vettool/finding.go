package vettool

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"

	"github.com/kubevet/kubevet/internal/unit"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
)

// finding is a finding of an analyzer, or a finding about a manifest.
type finding struct {
	rule     string
	severity rules.Severity
	at       span
	message  string
	related  []note
	fixes    []jsonFix
}

// span is a part of a file. Its columns are in bytes.
type span struct{ from, to token.Position }

// note is a related place of a finding.
type note struct {
	at      span
	message string
}

// text returns the text that `go vet` prints after the position. It has the severity and
// the rule, because `go vet` itself does not print them.
func (f finding) text() string {
	return fmt.Sprintf("%s: %s [%s]", f.severity, f.message, f.rule)
}

// findings converts the diagnostics of analyzers to findings. It also returns the errors
// of the analyzers that failed, by name.
func (t *Tool) findings(fset *token.FileSet, results []unit.Result) ([]finding, map[string]error) {
	at := func(from, to token.Pos) span {
		if !to.IsValid() {
			to = from
		}
		return span{fset.Position(from), fset.Position(to)}
	}
	var all []finding
	failed := map[string]error{}
	for _, r := range results {
		if r.Err != nil {
			failed[r.Analyzer.Name] = r.Err
			continue
		}
		for _, d := range r.Diagnostics {
			f := finding{
				rule: r.Analyzer.Name, severity: t.Severity(r.Analyzer.Name, d),
				at: at(d.Pos, d.End), message: d.Message, fixes: jsonFixes(fset, d),
			}
			for _, n := range d.Related {
				f.related = append(f.related, note{at(n.Pos, n.End), n.Message})
			}
			all = append(all, f)
		}
	}
	return all, failed
}

func jsonFixes(fset *token.FileSet, d analysis.Diagnostic) []jsonFix {
	var all []jsonFix
	for _, fix := range d.SuggestedFixes {
		edits, ok := unit.Edits(fset, fix)
		if !ok {
			continue
		}
		j := jsonFix{Message: fix.Message}
		for _, e := range edits {
			j.Edits = append(j.Edits, jsonEdit{e.File, e.Start, e.End, e.New})
		}
		all = append(all, j)
	}
	return all
}

// aboutManifests converts findings about manifests in Go files.
func aboutManifests(list []rules.Finding) []finding {
	position := func(file string, line, column int) token.Position {
		return token.Position{Filename: file, Line: line, Column: column}
	}
	var all []finding
	for _, f := range list {
		one := finding{
			rule: f.Rule, severity: f.Severity, message: f.Message,
			at: span{position(f.File, f.Line, f.Column), position(f.File, f.EndLine, f.EndColumn)},
		}
		for _, r := range f.Related {
			at := span{position(r.File, r.Line, r.Column), position(r.File, r.EndLine, r.EndColumn)}
			one.related = append(one.related, note{at, r.Message})
		}
		all = append(all, one)
	}
	return all
}

// sorted sorts findings by position and removes duplicates. There may be duplicates
// because several files of a package may embed the same manifest.
func sorted(all []finding) []finding {
	slices.SortStableFunc(all, func(x, y finding) int {
		a, b := x.at.from, y.at.from
		return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(x.rule, y.rule), cmp.Compare(x.message, y.message))
	})
	return slices.CompactFunc(all, func(x, y finding) bool {
		a, b := x.at.from, y.at.from
		return a.Filename == b.Filename && a.Line == b.Line && a.Column == b.Column && x.rule == y.rule && x.message == y.message
	})
}
