package lsp

import (
	"encoding/json"
	"hash/maphash"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/lsp/folder"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

const (
	// maxDiagnostics is the maximal number of diagnostics of a file. maxRelated is the
	// maximal number of related places of a diagnostic.
	maxDiagnostics = 1000
	maxRelated     = 20
)

var seed = maphash.MakeSeed()

// publish sends the diagnostics of files, unless the client already has them.
func (r *root) publish(paths []string) {
	slices.Sort(paths)
	for _, path := range paths {
		if r.ctx.Err() != nil {
			return
		}
		if !r.publishesFor(path) {
			continue
		}
		found := r.allFindings(path)
		d := r.s.openAt(path)
		var list []diagnostic
		if len(found) > 0 {
			list = r.diagnostics(r.textOf(path), found)
		}
		if r.recordIfChanged(path, d, list) {
			r.send(path, d, list)
		}
	}
}

// publishesFor reports whether this root sends the diagnostics of a file. If folders of a
// workspace contain each other, the innermost folder sends them.
func (r *root) publishesFor(path string) bool {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	owner := r.s.rootOf(path)
	return owner == nil || owner == r
}

// recordIfChanged reports whether the client does not have these diagnostics of a file
// yet, and records that it has them now.
func (r *root) recordIfChanged(path string, d *document, list []diagnostic) bool {
	body, err := json.Marshal(list)
	if err != nil {
		return true
	}
	sum := maphash.Bytes(seed, body)
	if d != nil {
		sum += uint64(d.version)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.file(path)
	news := f.sentHash != sum && (f.sentAny || len(list) > 0)
	if d != nil && f.sentHash == 0 {
		news = true // an editor may wait for the first diagnostics, even if there are none
	}
	f.sentHash, f.sentAny = sum, len(list) > 0
	return news
}

func (r *root) send(path string, d *document, list []diagnostic) {
	p := publishParams{URI: uriOf(path), Diagnostics: list}
	if list == nil {
		p.Diagnostics = []diagnostic{}
	}
	if d != nil {
		p.URI, p.Version = d.uri, &d.version
	}
	r.s.notify("textDocument/publishDiagnostics", p)
}

// diagnostics converts findings to diagnostics. t is the text of the file, or nil if it
// cannot be read, such as a file in a packed chart.
func (r *root) diagnostics(t *text, found []rules.Finding) []diagnostic {
	list := make([]diagnostic, 0, min(len(found), maxDiagnostics))
	for i := range found {
		if i == maxDiagnostics {
			break
		}
		list = append(list, r.diagnostic(t, &found[i]))
	}
	return list
}

func (r *root) diagnostic(t *text, f *rules.Finding) diagnostic {
	d := diagnostic{
		Range: rangeOf(t, f.Line, f.Column, f.EndLine, f.EndColumn), Severity: severityOf(f.Severity),
		Code: f.Rule, Source: "kubevet", Message: r.message(f),
	}
	if f.Rule != "" {
		d.CodeDescription = &codeDescription{Href: r.s.o.PagesURL + f.Rule + ".md"}
	}
	switch f.Rule {
	case "deprecatedapi", "deprecatedfield":
		d.Tags = []int{tagDeprecated}
	case "unusedsuppression":
		d.Tags = []int{tagUnnecessary}
	}
	if !r.s.client.TextDocument.PublishDiagnostics.RelatedInformation {
		return d
	}
	for i, place := range f.Related {
		if i == maxRelated {
			break
		}
		path := r.Path(place.File)
		d.RelatedInformation = append(d.RelatedInformation, relatedPlace{
			Location: location{URI: uriOf(path), Range: rangeOf(r.textOf(path), place.Line, place.Column, place.EndLine, place.EndColumn)},
			Message:  quote.Text(place.Message),
		})
	}
	return d
}

// message returns the text of a finding with its notes. For a range of targets, it adds
// the releases of the finding.
func (r *root) message(f *rules.Finding) string {
	lines := []string{quote.Text(f.Message)}
	if t, ok := r.Target(); ok && t.From != t.To && f.Minors != "" {
		lines[0] += " (" + f.Minors + ")"
	}
	for _, note := range f.Notes {
		lines = append(lines, "note: "+quote.Text(note))
	}
	return strings.Join(lines, "\n")
}

// rangeOf returns the range of a finding in the protocol's form. If t is nil, columns are
// not converted.
func rangeOf(t *text, line, column, endLine, endColumn int) textRange {
	if t != nil {
		return t.findingRange(line, column, endLine, endColumn)
	}
	start := position{max(line-1, 0), max(column-1, 0)}
	end := position{max(endLine-1, 0), max(endColumn-1, 0)}
	if end.before(start) {
		end = start
	}
	return textRange{start, end}
}

func severityOf(s rules.Severity) int {
	switch s {
	case rules.Error:
		return severityError
	case rules.Warning:
		return severityWarning
	case rules.Info:
		return severityInformation
	}
	return severityHint
}

// checkConfig checks the unsaved text of a configuration. Some mistakes, such as a file
// that does not exist, are found only after it is saved.
func (r *root) checkConfig(path string, d *document) {
	if d == nil {
		return // the next scan reads the file from the disk
	}
	r.storeMistakes(path, folder.CheckConfig(r.Name(path), d.text.data))
}

// showConfigError shows why the configuration of the folder cannot be used. The findings
// of the last check stay.
func (r *root) showConfigError(mistake *folder.ConfigError) {
	list := mistake.Mistakes()
	if len(list) == 0 {
		r.s.warn(messageError, "%s is not checked: %v", r.Dir, mistake)
		return
	}
	path := filepath.FromSlash(list[0].File)
	if !filepath.IsAbs(path) {
		path = r.Path(path)
	}
	r.storeMistakes(path, list)
	r.s.warn(messageError, "%v", mistake)
}
