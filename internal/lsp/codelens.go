package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/lsp/folder"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

const (
	// maxLenses is the maximal number of lenses in a document. maxTitle is the maximal
	// length of a lens's title in code points.
	maxLenses = 500
	maxTitle  = 100
	// maxListed is the maximal number of findings that kubevet.verdict lists.
	maxListed = 20
)

// verdictArguments are the arguments of the command kubevet.verdict.
type verdictArguments struct {
	URI string `json:"uri"`
	// Line is a line of the object, counted from 0.
	Line    int    `json:"line"`
	Release string `json:"release"`
}

// codeLenses returns the lenses of a document. The first lens is above the first object
// and shows the target. Further lenses are above the objects whose findings differ in the
// compared release.
func (s *server) codeLenses(ctx context.Context, p *documentParams) ([]codeLens, error) {
	all := []codeLens{}
	d, r := s.openDocument(p.TextDocument.URI)
	if d == nil || d.isGo() {
		return all, nil
	}
	target, ok := r.Target()
	objects := folder.Objects(r.Name(d.path), d.text.data)
	if !ok || len(objects) == 0 {
		return all, nil
	}
	top := d.text.findingRange(objects[0].Line, 1, objects[0].Line, 1)
	all = append(all, codeLens{Range: top, Command: &command{
		Title: "Kubernetes " + target.Range.String(), Command: commandTarget, Arguments: []any{targetArguments{URI: d.uri}},
	}})
	other, ok := s.comparedRelease(target)
	if !ok || r.UseOf(d.path).Rendered {
		return all, nil
	}
	verdicts, err := r.verdicts(ctx, d, target, other, objects)
	if err != nil {
		return nil, err
	}
	for _, v := range verdicts[:min(len(verdicts), maxLenses)] {
		at := d.text.findingRange(v.object.Line, 1, v.object.Line, 1)
		all = append(all, codeLens{Range: at, Command: &command{
			Title: v.title(other), Command: commandVerdict,
			Arguments: []any{verdictArguments{URI: d.uri, Line: at.Start.Line, Release: other.Range.String()}},
		}})
	}
	return all, nil
}

// comparedRelease returns the release of the setting compare, or false if lenses compare
// nothing.
func (s *server) comparedRelease(target lifecycle.Target) (lifecycle.Target, bool) {
	s.mu.Lock()
	word := s.settings.Compare
	s.mu.Unlock()
	switch word {
	case compareOff:
		return target, false
	case compareNext, "":
		if target.To >= lifecycle.Newest {
			return target, false
		}
		other := target
		other.Range = lifecycle.Range{From: target.To + 1, To: target.To + 1}
		return other, true
	}
	r, err := lifecycle.ParseRange(word)
	if err != nil || r == target.Range {
		return target, false
	}
	other := target
	other.Range = r
	return other, true
}

// verdict has the findings of another release about an object.
type verdict struct {
	object *folder.Object
	// found has all findings of the compared release. added has the findings that the
	// target does not have.
	found, added []rules.Finding
}

// verdicts returns the objects whose findings differ between target and other, with the
// findings for other.
func (r *root) verdicts(ctx context.Context, d *document, target, other lifecycle.Target, objects []folder.Object) ([]verdict, error) {
	text := []byte(d.text.data)
	now, ok, err := r.CheckFor(ctx, d.path, text, target)
	if err != nil || !ok {
		return nil, err
	}
	then, _, err := r.CheckFor(ctx, d.path, text, other)
	if err != nil {
		return nil, err
	}
	var all []verdict
	for i := range objects {
		end := 1 << 30
		if i+1 < len(objects) {
			end = objects[i+1].Line
		}
		inside := func(list []rules.Finding) (some []rules.Finding) {
			for _, f := range list {
				if f.Line >= objects[i].Line && f.Line < end {
					some = append(some, f)
				}
			}
			return some
		}
		was, is := inside(now), inside(then)
		v := verdict{object: &objects[i], found: is}
		for _, f := range is {
			if !slices.ContainsFunc(was, func(o rules.Finding) bool { return sameMistake(o, f) }) {
				v.added = append(v.added, f)
			}
		}
		if len(v.added) > 0 || len(is) != len(was) {
			all = append(all, v)
		}
	}
	return all, nil
}

// sameMistake compares two findings, without their texts and releases.
func sameMistake(a, b rules.Finding) bool {
	return a.Rule == b.Rule && a.Line == b.Line && a.Column == b.Column && a.Severity == b.Severity
}

func (v *verdict) title(other lifecycle.Target) string {
	text := "no findings"
	switch {
	case len(v.added) == 1:
		text = quote.Text(v.added[0].Message)
	case len(v.found) > 0:
		text = report.Count(len(v.found), "finding")
	}
	title := []rune(other.Range.String() + ": " + text)
	if len(title) > maxTitle {
		title = append(title[:maxTitle-1], '…')
	}
	return string(title)
}

// showVerdict shows the user a release's findings about the object on a line.
func (s *server) showVerdict(ctx context.Context, a *verdictArguments) (any, error) {
	d, r := s.openDocument(a.URI)
	if d == nil {
		return nil, failure(codeInvalidParams, "the document is not open")
	}
	target, ok := r.Target()
	if !ok {
		return nil, failure(codeRequestFailed, "the folder is not checked yet")
	}
	versions, err := lifecycle.ParseRange(a.Release)
	if err != nil {
		return nil, failure(codeInvalidParams, "release: %v", err)
	}
	other := target
	other.Range = versions
	found, _, err := r.CheckFor(ctx, d.path, []byte(d.text.data), other)
	if err != nil {
		return nil, err
	}
	first, last := a.Line+1, 1<<30
	for _, o := range folder.Objects(r.Name(d.path), d.text.data) {
		if o.Line > first {
			last = o.Line
			break
		}
	}
	var lines []string
	for i := range found {
		if f := &found[i]; f.Line >= first && f.Line < last && len(lines) < maxListed {
			lines = append(lines, fmt.Sprintf("line %d: %s: %s [%s]", f.Line, f.Severity, quote.Text(f.Message), f.Rule))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "no findings")
	}
	text := fmt.Sprintf("Kubernetes %s: %s", versions, strings.Join(lines, "; "))
	s.showMessage(messageInfo, "%s", text)
	return text, nil
}
