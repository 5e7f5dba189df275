package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

type action struct {
	Title, Kind string
	IsPreferred bool
	Edit        *edit
	Command     *struct {
		Command   string
		Arguments []json.RawMessage
	}
}

type edit struct {
	DocumentChanges []struct {
		TextDocument struct {
			URI     string
			Version *int
		}
		Edits []struct {
			Range        rng
			NewText      string
			AnnotationID string `json:"annotationId"`
		}
	}
	ChangeAnnotations map[string]struct {
		Label             string
		NeedsConfirmation bool
	}
}

func (c *client) actions(name string, line int, only ...string) []action {
	c.t.Helper()
	var all []action
	c.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": c.uri(name)}, "range": rng{pos{line, 0}, pos{line, 100}},
		"context": map[string]any{"diagnostics": []any{}, "only": only},
	}, &all)
	return all
}

// apply returns the text of one document after the edits. Each edit must be within one
// line.
func (e *edit) apply(t *testing.T, text string) string {
	t.Helper()
	lines := strings.SplitAfter(text, "\n")
	offset := func(p pos) int { return len(strings.Join(lines[:p.Line], "")) + p.Character }
	edits := e.DocumentChanges[0].Edits
	for i := len(edits) - 1; i >= 0; i-- {
		text = text[:offset(edits[i].Range.Start)] + edits[i].NewText + text[offset(edits[i].Range.End):]
	}
	return text
}

const oldCron = `apiVersion: batch/v1beta1
kind: CronJob
metadata:
  name: backup
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - {name: backup, image: backup}
`

// TestFix checks that applying the fix of a finding removes the finding, and that there
// is no fix elsewhere.
func TestFix(t *testing.T) {
	c := start(t, map[string]string{"cron.yaml": oldCron}, nil)
	c.open("cron.yaml", oldCron)
	c.diagnostics("cron.yaml", "0:12-25 removedapi")
	var fix *action
	for _, a := range c.actions("cron.yaml", 0, "quickfix") {
		if strings.HasPrefix(a.Title, "Fix: ") {
			fix = &a
		}
	}
	if fix == nil || fix.Edit == nil || len(fix.Edit.DocumentChanges) != 1 || *fix.Edit.DocumentChanges[0].TextDocument.Version != 1 {
		t.Fatalf("no fix of version 1: %+v", fix)
	}
	if review := fix.Edit.ChangeAnnotations["fix"].NeedsConfirmation; review == fix.IsPreferred {
		t.Errorf("preferred %v, and confirmation %v", fix.IsPreferred, review)
	}
	fixed := fix.Edit.apply(t, oldCron)
	if !strings.HasPrefix(fixed, "apiVersion: batch/v1\n") {
		t.Errorf("fixed:\n%s", fixed)
	}
	c.replace("cron.yaml", 2, fixed)
	c.diagnostics("cron.yaml")
	if list := c.actions("cron.yaml", 0); len(list) > 0 {
		t.Errorf("actions without findings: %+v", list)
	}
	c.replace("cron.yaml", 3, oldCron)
	if list := c.actions("cron.yaml", 5, "quickfix"); len(list) > 0 {
		t.Errorf("actions on a line without findings: %+v", list)
	}
	if list := c.actions("cron.yaml", 0, "refactor"); len(list) > 0 {
		t.Errorf("actions of a kind that nobody wants: %+v", list)
	}
}

// TestFixAll checks that one action has all safe fixes of a document.
func TestFixAll(t *testing.T) {
	text := oldCron + "---\n" + strings.Replace(oldCron, "name: backup", "name: other", 1)
	c := start(t, map[string]string{"cron.yaml": text}, map[string]any{"target": "1.24"})
	c.open("cron.yaml", text)
	c.diagnostics("cron.yaml", "0:12-25 deprecatedapi", "14:12-25 deprecatedapi")
	list := c.actions("cron.yaml", 3, "source.fixAll")
	if len(list) != 1 || list[0].Kind != "source.fixAll.kubevet" {
		t.Fatalf("actions %+v", list)
	}
	c.replace("cron.yaml", 2, list[0].Edit.apply(t, text))
	c.diagnostics("cron.yaml")
	if list := c.actions("cron.yaml", 3, "source.fixAll"); len(list) > 0 {
		t.Errorf("nothing to fix, but %+v", list)
	}
}

// TestSuppress checks that the suggested comment suppresses only this finding.
func TestSuppress(t *testing.T) {
	text := oldCron + "---\n" + strings.Replace(oldCron, "name: backup", "name: other", 1)
	c := start(t, map[string]string{"cron.yaml": text, "cron.json": `{"apiVersion": "extensions/v1beta1", "kind": "Ingress"}`}, nil)
	c.open("cron.yaml", text)
	c.open("cron.json", `{"apiVersion": "extensions/v1beta1", "kind": "Ingress"}`)
	c.diagnostics("cron.yaml", "0:12-25 removedapi", "14:12-25 removedapi")
	find := func(name string, line int) *action {
		for _, a := range c.actions(name, line) {
			if strings.HasPrefix(a.Title, "Suppress ") {
				return &a
			}
		}
		return nil
	}
	a := find("cron.yaml", 0)
	if a == nil || a.Edit == nil {
		t.Fatalf("no suppression: %+v", a)
	}
	c.replace("cron.yaml", 2, a.Edit.apply(t, text))
	c.diagnostics("cron.yaml", "14:12-25 removedapi")
	if a := find("cron.json", 0); a != nil {
		t.Errorf("JSON has no comments, but %+v", a)
	}
	// This command has a reason from the user, as the extension for VS Code sends it.
	c.call("workspace/executeCommand", map[string]any{"command": "kubevet.suppress", "arguments": []any{
		map[string]any{"uri": c.uri("cron.yaml"), "line": 14, "rule": "removedapi", "reason": "the cluster\nis old"},
	}}, nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.edits) != 1 || !strings.Contains(string(c.edits[0]), "kubevet:ignore removedapi -- the cluster is old") {
		t.Errorf("edits %s", c.edits)
	}
}

// TestAskReason checks that a client that can ask for a reason receives a command instead
// of an edit.
func TestAskReason(t *testing.T) {
	c := start(t, map[string]string{"cron.yaml": oldCron}, map[string]any{"asksReason": true})
	c.open("cron.yaml", oldCron)
	c.diagnostics("cron.yaml", "0:12-25 removedapi")
	for _, a := range c.actions("cron.yaml", 0) {
		if strings.HasPrefix(a.Title, "Suppress ") && (a.Edit != nil || a.Command == nil || a.Command.Command != "kubevet.suppressWithReason") {
			t.Errorf("action %+v", a)
		}
	}
}
