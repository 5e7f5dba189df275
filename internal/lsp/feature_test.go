package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func (c *client) hover(name string, at pos) string {
	c.t.Helper()
	var h *struct{ Contents struct{ Kind, Value string } }
	c.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "position": at}, &h)
	if h == nil {
		return ""
	}
	return h.Contents.Value
}

// TestHover checks that a hover shows the history of the API and the page of the rule.
// Other places must have no hover.
func TestHover(t *testing.T) {
	issuer := "apiVersion: cert-manager.io/v1alpha2\nkind: Issuer\nmetadata:\n  name: a\nspec:\n  selfSigned: {}\n"
	c := start(t, map[string]string{"cron.yaml": oldCron, "issuer.yaml": issuer}, nil)
	c.open("cron.yaml", oldCron)
	c.open("issuer.yaml", issuer)
	c.diagnostics("cron.yaml", "0:12-25 removedapi")
	text := c.hover("cron.yaml", pos{0, 15})
	for _, want := range []string{"removed: 1.25", "batch/v1 CronJob", "### removedapi", "Why it matters", "https://example.com/rules/removedapi.md"} {
		if !strings.Contains(text, want) {
			t.Errorf("the hover has no %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "# want") {
		t.Errorf("the hover has the examples:\n%s", text)
	}
	if text := c.hover("cron.yaml", pos{1, 7}); !strings.Contains(text, "introduced: 1.8") || strings.Contains(text, "###") {
		t.Errorf("the hover of the kind:\n%s", text)
	}
	if text := c.hover("cron.yaml", pos{3, 9}); text != "" {
		t.Errorf("the hover of the name:\n%s", text)
	}
	if text := c.hover("issuer.yaml", pos{0, 20}); !strings.Contains(text, "of cert-manager") {
		t.Errorf("the hover of a custom resource:\n%s", text)
	}
}

type lens struct {
	Range   rng
	Command struct {
		Title, Command string
		Arguments      []json.RawMessage
	}
}

func (c *client) lenses(name string) (titles []string, all []lens) {
	c.t.Helper()
	c.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}}, &all)
	for _, l := range all {
		titles = append(titles, l.Command.Title)
	}
	return titles, all
}

// TestLens checks that lenses show the target, and the verdict of the next release if it
// differs.
func TestLens(t *testing.T) {
	text := oldCron + "---\n" + goodMap
	c := start(t, map[string]string{"cron.yaml": text, ".kubevet.yaml": "target: \"1.24\"\n"}, nil)
	c.open("cron.yaml", text)
	c.diagnostics("cron.yaml", "0:12-25 deprecatedapi")
	titles, all := c.lenses("cron.yaml")
	if len(titles) != 2 || titles[0] != "Kubernetes 1.24" || !strings.HasPrefix(titles[1], "1.25: ") {
		t.Fatalf("lenses %q", titles)
	}
	var shown string
	c.call("workspace/executeCommand", map[string]any{"command": all[1].Command.Command, "arguments": all[1].Command.Arguments}, &shown)
	if !strings.Contains(shown, "removedapi") || !strings.HasPrefix(shown, "Kubernetes 1.25: line 1: error: ") {
		t.Errorf("verdict %q", shown)
	}
	c.open("good.yaml", goodMap)
	c.wait("the first check", func() bool { return c.publishCount[c.uri("good.yaml")] > 0 })
	if titles, _ := c.lenses("good.yaml"); len(titles) != 1 {
		t.Errorf("lenses of a manifest that is the same in both: %q", titles)
	}
	c.open("notes.yaml", "a: b\n")
	if titles, _ := c.lenses("notes.yaml"); len(titles) != 0 {
		t.Errorf("lenses of a file without objects: %q", titles)
	}
}

// TestTarget changes the target with the command, and then changes it back.
func TestTarget(t *testing.T) {
	c := start(t, map[string]string{"cron.yaml": oldCron, ".kubevet.yaml": "target: \"1.24\"\n", "map.yaml": goodMap}, nil)
	c.diagnostics("cron.yaml", "0:12-25 deprecatedapi")
	set := func(target any) string {
		t.Helper()
		var got string
		c.call("workspace/executeCommand", map[string]any{"command": "kubevet.target", "arguments": []any{target}}, &got)
		return got
	}
	if got := set(map[string]any{"target": "1.25"}); got != "1.25" {
		t.Errorf("target %q", got)
	}
	c.diagnostics("cron.yaml", "0:12-25 removedapi")
	set(map[string]any{"target": ""})
	c.diagnostics("cron.yaml", "0:12-25 deprecatedapi")
	c.mu.Lock()
	c.choice = "1.36"
	c.mu.Unlock()
	if got := set(map[string]any{"uri": c.uri("cron.yaml")}); got != "1.36" {
		t.Errorf("chosen %q", got)
	}
	if list := c.diagnostics("cron.yaml", "0:12-25 removedapi"); strings.Contains(list[0].Message, "1.36") {
		t.Errorf("the message repeats the only release: %q", list[0].Message)
	}
	set(map[string]any{"target": "1.24..1.26"})
	if list := c.diagnostics("cron.yaml", "0:12-25 removedapi", "0:12-25 deprecatedapi"); !strings.Contains(list[0].Message, "(1.25..1.26)") {
		t.Errorf("the message has no releases: %q", list[0].Message)
	}
	for _, wrong := range []any{map[string]any{"target": "2.0"}, "1.25", map[string]any{"uri": "file:///elsewhere/a.yaml", "target": "1.25"}} {
		if err := c.try("workspace/executeCommand", map[string]any{"command": "kubevet.target", "arguments": []any{wrong}}, nil); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
	c.noDiagnostics("map.yaml")
}

// TestConfiguration checks that mistakes in a configuration are shown in its file. The
// findings of other files must stay.
func TestConfiguration(t *testing.T) {
	c := start(t, map[string]string{"cron.yaml": oldCron, ".kubevet.yaml": "target: \"1.25\"\n"}, nil)
	c.diagnostics("cron.yaml", "0:12-25 removedapi")
	c.open(".kubevet.yaml", "target: \"1.25\"\n")
	c.replace(".kubevet.yaml", 2, "targets: \"1.24\"\n")
	c.diagnostics(".kubevet.yaml", "0:0-1 ")
	c.write(".kubevet.yaml", "target: \"9.9\"\n")
	c.replace(".kubevet.yaml", 3, "target: \"9.9\"\n")
	c.save(".kubevet.yaml")
	c.diagnostics(".kubevet.yaml", "0:8-9 ")
	c.diagnostics("cron.yaml", "0:12-25 removedapi")
	c.write(".kubevet.yaml", "target: \"1.24\"\n")
	c.replace(".kubevet.yaml", 4, "target: \"1.24\"\n")
	c.save(".kubevet.yaml")
	c.diagnostics("cron.yaml", "0:12-25 deprecatedapi")
	c.diagnostics(".kubevet.yaml")
}

// TestHostileConfiguration checks that a repository's configuration cannot name files
// outside the repository.
func TestHostileConfiguration(t *testing.T) {
	c := start(t, map[string]string{"cron.yaml": oldCron, ".kubevet.yaml": "context: [/etc]\nvalues: [../../secret.yaml]\n"}, nil)
	c.wait("a refusal", func() bool { return len(c.diagnosticsByURI[c.uri(".kubevet.yaml")].Diagnostics) > 0 })
	c.mu.Lock()
	defer c.mu.Unlock()
	if text := c.diagnosticsByURI[c.uri(".kubevet.yaml")].Diagnostics[0].Message; !strings.Contains(text, "outside") {
		t.Errorf("message %q", text)
	}
}

// TestWatch checks that files are checked again after another program changed them.
func TestWatch(t *testing.T) {
	c := start(t, map[string]string{"a.yaml": goodMap, "b.yaml": oldCron}, nil)
	c.diagnostics("b.yaml", "0:12-25 removedapi")
	c.write("a.yaml", oldCron)
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri("a.yaml"), "type": 2}}})
	c.diagnostics("a.yaml", "0:12-25 removedapi")
}

// TestFolders adds and removes folders. A document outside all folders must be checked
// alone.
func TestFolders(t *testing.T) {
	c := start(t, map[string]string{"one/a.yaml": goodMap}, nil)
	outside := connect(t, map[string]string{"x/a.yaml": oldCron, "x/b.yaml": oldCron, "y/c.yaml": oldCron})
	c.t.Cleanup(func() {})
	dir := outside.dir
	c.dir, outside.dir = dir, c.dir
	c.open("x/a.yaml", oldCron)
	c.diagnostics("x/a.yaml", "0:12-25 removedapi")
	c.noDiagnostics("x/b.yaml")
	folder := map[string]any{"uri": c.uri("y"), "name": "y"}
	c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{folder}, "removed": []any{}}})
	c.diagnostics("y/c.yaml", "0:12-25 removedapi")
	c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": []any{}, "removed": []any{folder}}})
	c.diagnostics("y/c.yaml")
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri("x/a.yaml")}})
	c.diagnostics("x/a.yaml")
}
