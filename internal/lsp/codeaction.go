package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/rules"
)

// These are the kinds of code actions.
const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.kubevet"
)

// maxActions is the maximal number of findings in a range for which actions are computed.
const maxActions = 50

type actionParams struct {
	TextDocument documentID `json:"textDocument"`
	Range        textRange  `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
}

// wants reports whether the client requests actions of a kind. A requested kind includes
// its subkinds.
func (p *actionParams) wants(kind string) bool {
	return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
		return only == kind || only == "" || strings.HasPrefix(kind, only+".")
	})
}

// codeActions returns the fixes and suppressions for the findings in a range.
func (s *server) codeActions(ctx context.Context, p *actionParams) ([]codeAction, error) {
	all := []codeAction{}
	d, r := s.openDocument(p.TextDocument.URI)
	if d == nil {
		return all, nil
	}
	found, err := r.currentFindings(ctx, d)
	if err != nil {
		return all, err
	}
	if p.wants(kindQuickFix) {
		near := slices.DeleteFunc(slices.Clone(found), func(f rules.Finding) bool {
			return !d.text.findingRange(f.Line, f.Column, f.EndLine, f.EndColumn).touches(p.Range)
		})
		for i := range near[:min(len(near), maxActions)] {
			if fixing, ok := r.fixAction(d, &near[i]); ok {
				all = append(all, fixing)
			}
		}
		for i := range near[:min(len(near), maxActions)] {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if ignoring, ok := r.suppressAction(ctx, d, found, &near[i]); ok {
				all = append(all, ignoring)
			}
		}
	}
	if p.wants(kindFixAll) {
		if fixing, ok := r.fixAllAction(d, found); ok {
			all = append(all, fixing)
		}
	}
	return all, nil
}

// currentFindings returns the findings in the current text of a document. It checks the
// text if necessary. Findings from rendering are missing until the changed document is
// rendered.
func (r *root) currentFindings(ctx context.Context, d *document) ([]rules.Finding, error) {
	r.mu.Lock()
	f := r.files[d.path]
	fresh := f != nil && f.version == d.version
	r.mu.Unlock()
	if !fresh && !d.isGo() {
		found, ok, err := r.Check(ctx, d.path, []byte(d.text.data))
		if err != nil || !ok {
			return nil, err
		}
		r.storeFile(d.path, found, d.version)
	}
	return r.findingsFor(d.path, d.version), nil
}

// fixAction returns the action that fixes a finding. It returns false if no fix can be
// applied.
func (r *root) fixAction(d *document, f *rules.Finding) (codeAction, bool) {
	if f.Fix == nil || len(f.Fix.Edits) == 0 {
		return codeAction{}, false
	}
	edits, ok := r.byteEdits(f.Fix.Edits)
	if !ok || !r.canApply(edits) {
		return codeAction{}, false
	}
	title := "Fix: " + quote.Text(f.Fix.Message)
	return codeAction{
		Title: title, Kind: kindQuickFix, IsPreferred: f.Fix.Safe,
		Diagnostics: []diagnostic{r.diagnostic(d.text, f)},
		Edit:        r.workspaceEdit(edits, title, !f.Fix.Safe),
	}, true
}

// fixAllAction returns an action with all safe fixes of a document, except those that
// also change other files.
func (r *root) fixAllAction(d *document, found []rules.Finding) (codeAction, bool) {
	set := &fixset.Set{}
	var all [][]fixset.Edit
	for i := range found {
		f := &found[i]
		if f.Fix == nil || !f.Fix.Safe {
			continue
		}
		edits, ok := r.byteEdits(f.Fix.Edits)
		if !ok || slices.ContainsFunc(edits, func(e fixset.Edit) bool { return e.File != d.path }) {
			continue
		}
		set.Add(edits)
		all = append(all, edits)
	}
	var made []fixset.Edit
	n := 0
	for i, edits := range all {
		if !set.Made(i) {
			continue
		}
		n++
		for _, e := range edits {
			if !slices.Contains(made, e) {
				made = append(made, e)
			}
		}
	}
	if n == 0 || !r.canApply(made) {
		return codeAction{}, false
	}
	title := fmt.Sprintf("Fix all findings that need no review (%d)", n)
	return codeAction{Title: title, Kind: kindFixAll, Edit: r.workspaceEdit(made, title, false)}, true
}

// byteEdits converts lines and columns to byte offsets, and file names to paths. It
// returns false if a file is not in the folder, or if an offset cannot be computed
// exactly.
func (r *root) byteEdits(edits []rules.Edit) ([]fixset.Edit, bool) {
	var all []fixset.Edit
	for _, e := range edits {
		path := r.Path(e.File)
		t := r.textOf(path)
		if t == nil || !r.Contains(path) || len(t.lines) != len(t.breaks) || strings.Contains(t.data, "\ufffd") {
			return nil, false
		}
		all = append(all, fixset.Edit{File: path, Start: t.findingOffset(e.Line, e.Column), End: t.findingOffset(e.EndLine, e.EndColumn), New: e.New})
	}
	return all, len(all) > 0
}

// canApply reports whether the edits can be applied, and whether the changed documents
// still parse.
func (r *root) canApply(edits []fixset.Edit) bool {
	set := &fixset.Set{}
	set.Add(edits)
	files, err := set.Apply(func(path string) ([]byte, error) {
		return []byte(r.textOf(path).data), nil
	}, func(_ string, old, text []byte) ([]byte, error) {
		if fix.Broken(text) > fix.Broken(old) {
			return nil, fmt.Errorf("it breaks a document")
		}
		return text, nil
	})
	return err == nil && len(files) > 0 && set.Applied() == 1
}

// workspaceEdit converts edits to the form that the client supports. If review is true, a
// client that supports confirmation asks the user before it applies them.
func (r *root) workspaceEdit(edits []fixset.Edit, label string, review bool) *workspaceEdit {
	client := r.s.client.Workspace.WorkspaceEdit
	w := &workspaceEdit{}
	id := ""
	if client.DocumentChanges && client.ChangeAnnotationSupport != nil {
		id = "fix"
		w.ChangeAnnotations = map[string]annotation{id: {Label: label, NeedsConfirmation: review}}
	}
	byPath := map[string][]textEdit{}
	var paths []string
	for _, e := range edits {
		t := r.textOf(e.File)
		if t == nil {
			continue
		}
		if byPath[e.File] == nil {
			paths = append(paths, e.File)
		}
		byPath[e.File] = append(byPath[e.File], textEdit{Range: textRange{t.position(e.Start), t.position(e.End)}, NewText: e.New, AnnotationID: id})
	}
	for _, path := range paths {
		uri := uriOf(path)
		var version *int
		if d := r.s.openAt(path); d != nil {
			uri, version = d.uri, &d.version
		}
		if !client.DocumentChanges {
			if w.Changes == nil {
				w.Changes = map[string][]textEdit{}
			}
			w.Changes[uri] = byPath[path]
			continue
		}
		change := documentEdit{Edits: byPath[path]}
		change.TextDocument.URI, change.TextDocument.Version = uri, version
		w.DocumentChanges = append(w.DocumentChanges, change)
	}
	return w
}
