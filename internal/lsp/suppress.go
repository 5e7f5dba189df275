package lsp

import (
	"context"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/rules"
)

// placeholder is the reason in a comment if the client cannot ask the user.
const placeholder = "say why"

// maxReason is the maximal length of a reason in code points.
const maxReason = 500

// suppressAction returns the action that adds a comment to suppress a finding. It returns
// false if no comment can suppress it.
func (r *root) suppressAction(ctx context.Context, d *document, found []rules.Finding, f *rules.Finding) (codeAction, bool) {
	if !suppressible(d, f) {
		return codeAction{}, false
	}
	edit, ok := r.suppressEdit(ctx, d, found, f, placeholder)
	if !ok {
		return codeAction{}, false
	}
	a := codeAction{
		Title: "Suppress " + f.Rule + " here, with a reason", Kind: kindQuickFix,
		Diagnostics: []diagnostic{r.diagnostic(d.text, f)},
	}
	r.s.mu.Lock()
	asks := r.s.settings.AsksReason
	r.s.mu.Unlock()
	if asks {
		line := d.text.position(d.text.findingOffset(f.Line, f.Column)).Line
		a.Command = &command{Title: a.Title, Command: commandAskReason, Arguments: []any{suppressArguments{URI: d.uri, Line: line, Rule: f.Rule}}}
	} else {
		a.Edit = r.workspaceEdit([]fixset.Edit{edit}, a.Title, false)
	}
	return a, true
}

// suppressible reports whether a comment can suppress the finding. JSON has no comments.
func suppressible(d *document, f *rules.Finding) bool {
	return f.Rule != "" && f.Rule != "unusedsuppression" && f.Line > 0 && !strings.EqualFold(filepath.Ext(d.path), ".json")
}

// suppressEdit returns the edit that adds the comment. It tries a comment at the end of
// the line, then a comment on a new line above, and checks the changed text after each
// try. Two cases have a fixed place:
//
//   - For a finding from rendering, the comment is at the end of the line.
//   - For Go code, the comment is on a new line above.
func (r *root) suppressEdit(ctx context.Context, d *document, found []rules.Finding, f *rules.Finding, reason string) (fixset.Edit, bool) {
	t := d.text
	comment := "# kubevet:ignore " + f.Rule + " -- " + oneLineReason(reason)
	start, _ := t.lineRange(f.Line)
	_, end := t.lineRange(f.Line)
	line := t.data[start:end]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	newline := "\n"
	if strings.Contains(t.data, "\r\n") {
		newline = "\r\n"
	}
	behind := fixset.Edit{File: d.path, Start: end, End: end, New: " " + comment}
	if strings.TrimSpace(line) == "" {
		return behind, false
	}
	if len(f.RenderedBy) > 0 {
		return behind, true
	}
	if d.isGo() {
		return fixset.Edit{File: d.path, Start: start, End: start, New: indent + "//" + strings.TrimPrefix(comment, "# ") + newline}, true
	}
	above := fixset.Edit{File: d.path, Start: start, End: start, New: indent + comment + newline}
	for _, edit := range []fixset.Edit{behind, above} {
		changed := t.data[:edit.Start] + edit.New + t.data[edit.End:]
		left, ok, err := r.Check(ctx, d.path, []byte(changed))
		if err == nil && ok && suppressed(found, left, f.Rule) {
			return edit, true
		}
	}
	return behind, false
}

// lineRange returns the offsets of the start and end of a line, without its line break.
// Lines are counted as in findings.
func (t *text) lineRange(line int) (start, end int) {
	line = min(max(line, 1), len(t.breaks))
	return t.breaks[line-1], t.end(t.breaks, line-1)
}

// suppressed reports whether there are fewer findings of the rule, and no new findings of
// other rules.
func suppressed(before, after []rules.Finding, rule string) bool {
	count := func(list []rules.Finding) (byRule map[string]int) {
		byRule = map[string]int{}
		for i := range list {
			if len(list[i].RenderedBy) == 0 {
				byRule[list[i].Rule]++
			}
		}
		return byRule
	}
	was, is := count(before), count(after)
	for id, n := range is {
		if n > was[id] {
			return false
		}
	}
	return is[rule] < was[rule]
}

// oneLineReason returns a reason without line breaks and unprintable characters, cut to
// maxReason.
func oneLineReason(reason string) string {
	reason = strings.Join(strings.FieldsFunc(reason, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if runes := []rune(reason); len(runes) > maxReason {
		reason = string(runes[:maxReason])
	}
	if reason == "" {
		return placeholder
	}
	return reason
}

type suppressArguments struct {
	URI string `json:"uri"`
	// Line is the line of the finding, counted from 0.
	Line   int    `json:"line"`
	Rule   string `json:"rule"`
	Reason string `json:"reason,omitempty"`
}

// suppress asks the client to add the comment that suppresses a finding.
func (s *server) suppress(ctx context.Context, a *suppressArguments) error {
	d, r := s.openDocument(a.URI)
	if d == nil {
		return failure(codeInvalidParams, "the document is not open")
	}
	found, err := r.currentFindings(ctx, d)
	if err != nil {
		return err
	}
	for i := range found {
		f := &found[i]
		if f.Rule != a.Rule || d.text.position(d.text.findingOffset(f.Line, f.Column)).Line != a.Line || !suppressible(d, f) {
			continue
		}
		edit, ok := r.suppressEdit(ctx, d, found, f, a.Reason)
		if !ok {
			continue
		}
		return s.applyEdit(ctx, "Suppress "+a.Rule, r.workspaceEdit([]fixset.Edit{edit}, "Suppress "+a.Rule, false))
	}
	return failure(codeRequestFailed, "there is no finding of %q on this line that a comment can suppress", a.Rule)
}

// applyEdit asks the client to apply an edit. It returns an error if the client refuses.
func (s *server) applyEdit(ctx context.Context, label string, edit *workspaceEdit) error {
	var answer struct {
		Applied       bool   `json:"applied"`
		FailureReason string `json:"failureReason"`
	}
	if err := s.call(ctx, "workspace/applyEdit", map[string]any{"label": label, "edit": edit}, &answer); err != nil {
		return err
	}
	if !answer.Applied {
		return failure(codeRequestFailed, "the editor did not make the edit: %s", answer.FailureReason)
	}
	return nil
}
