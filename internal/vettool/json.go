package vettool

import (
	"encoding/json"
	"io"

	"github.com/kubevet/kubevet/internal/quote"
)

// These types are the output of `go vet -json`, which the go command itself reads and
// prints. It is a map from packages to analyzers to diagnostics. If an analyzer failed,
// it has the error instead. The go command ignores the severity.
type (
	jsonDiagnostic struct {
		Category string        `json:"category,omitempty"`
		Severity string        `json:"severity"`
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

// writeJSON writes the findings of a package as JSON. failed has the errors of analyzers
// by name. An analyzer with an error has no findings.
func writeJSON(w io.Writer, id string, findings []finding, failed map[string]error) error {
	lists := map[string][]jsonDiagnostic{}
	for _, f := range findings {
		lists[f.rule] = append(lists[f.rule], f.json())
	}
	byName := map[string]any{}
	for rule, list := range lists {
		byName[rule] = list
	}
	for rule, err := range failed {
		byName[rule] = jsonError{err.Error()}
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

func (f finding) json() jsonDiagnostic {
	j := jsonDiagnostic{
		Category: f.rule, Severity: f.severity.String(), Message: f.text(),
		Posn: f.at.from.String(), End: f.at.to.String(), Fixes: f.fixes,
	}
	for _, r := range f.related {
		j.Related = append(j.Related, jsonRelated{r.at.from.String(), r.at.to.String(), r.message})
	}
	return j
}
