package vettool

import (
	"encoding/json"
	"go/token"
	"io"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
)

// The form of `go vet -json`, which the go command itself reads and prints: it
// maps packages to analyzers to diagnostics, or to the analyzer's error.
type (
	jsonDiagnostic struct {
		Category string        `json:"category,omitempty"`
		Posn     string        `json:"posn"`
		End      string        `json:"end"`
		Message  string        `json:"message"`
		Fixes    []jsonFix     `json:"suggested_fixes,omitempty"`
		Related  []jsonRelated `json:"related,omitempty"`
	}
	jsonFix struct {
		Message string     `json:"message"`
		Edits   []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"`
		End      int    `json:"end"`
		New      string `json:"new"`
	}
	jsonRelated struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
	jsonError struct {
		Error string `json:"error"`
	}
)

func writeJSON(w io.Writer, fset *token.FileSet, id string, results []unit.Result) error {
	byName := map[string]any{}
	for _, r := range results {
		switch {
		case r.Err != nil:
			byName[r.Analyzer.Name] = jsonError{r.Err.Error()}
		case len(r.Diagnostics) > 0:
			list := make([]jsonDiagnostic, len(r.Diagnostics))
			for i, d := range r.Diagnostics {
				list[i] = newJSONDiagnostic(fset, d)
			}
			byName[r.Analyzer.Name] = list
		}
	}
	tree := map[string]any{}
	if len(byName) > 0 {
		tree[id] = byName
	}
	data, err := quote.JSON(tree, func(e *json.Encoder) { e.SetIndent("", "\t") })
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

func newJSONDiagnostic(fset *token.FileSet, d analysis.Diagnostic) jsonDiagnostic {
	span := func(from, to token.Pos) (string, string) {
		if !to.IsValid() {
			to = from
		}
		return fset.Position(from).String(), fset.Position(to).String()
	}
	j := jsonDiagnostic{Category: d.Category, Message: d.Message}
	j.Posn, j.End = span(d.Pos, d.End)
	for _, fix := range d.SuggestedFixes {
		edits, ok := unit.Edits(fset, fix)
		if !ok {
			continue
		}
		jf := jsonFix{Message: fix.Message}
		for _, e := range edits {
			jf.Edits = append(jf.Edits, jsonEdit{e.File, e.Start, e.End, e.New})
		}
		j.Fixes = append(j.Fixes, jf)
	}
	for _, r := range d.Related {
		jr := jsonRelated{Message: r.Message}
		jr.Posn, jr.End = span(r.Pos, r.End)
		j.Related = append(j.Related, jr)
	}
	return j
}
