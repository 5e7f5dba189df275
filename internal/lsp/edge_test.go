package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// TestIgnored checks files that a scan skips. An open file must be checked even if git
// ignores it, but not if the configuration excludes it.
func TestIgnored(t *testing.T) {
	c := start(t, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".gitignore": "ignored.yaml\n", ".kubevet.yaml": "exclude: [excluded.yaml]\n",
		"ignored.yaml": oldCron, "excluded.yaml": oldCron, "web.yaml": oldCron,
	}, nil)
	c.diagnostics("web.yaml", "0:12-25 removedapi")
	c.noDiagnostics("ignored.yaml", "excluded.yaml")
	c.open("excluded.yaml", oldCron)
	c.open("ignored.yaml", oldCron)
	c.diagnostics("ignored.yaml", "0:12-25 removedapi")
	c.wait("an answer about the excluded file", func() bool { return c.publishCount[c.uri("excluded.yaml")] > 0 })
	c.noDiagnostics("excluded.yaml")
}

// TestNested checks a file that is in two folders of the workspace. It must have the
// findings of the inner folder.
func TestNested(t *testing.T) {
	c := start(t, map[string]string{
		".kubevet.yaml": "target: \"1.25\"\n", "in/.kubevet.yaml": "target: \"1.24\"\n",
		"in/a.yaml": oldCron, "zz.yaml": oldCron,
	}, nil)
	c.diagnostics("zz.yaml", "0:12-25 removedapi")
	c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{map[string]any{"uri": c.uri("in"), "name": "in"}}, "removed": []any{},
	}})
	c.diagnostics("in/a.yaml", "0:12-25 deprecatedapi")
	c.call("workspace/executeCommand", map[string]any{"command": "kubevet.check"}, nil)
	c.write("yy.yaml", oldCron)
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri("yy.yaml"), "type": 1}}})
	c.diagnostics("yy.yaml", "0:12-25 removedapi")
	c.diagnostics("in/a.yaml", "0:12-25 deprecatedapi")
}

// TestHome checks that only open documents are checked in a home directory.
func TestHome(t *testing.T) {
	c := connect(t, map[string]string{"a.yaml": oldCron, "b.yaml": oldCron})
	t.Setenv("HOME", c.dir)
	t.Setenv("USERPROFILE", c.dir)
	c.initialize(nil)
	c.open("a.yaml", oldCron)
	c.diagnostics("a.yaml", "0:12-25 removedapi")
	c.noDiagnostics("b.yaml")
}

// TestCancel cancels a request that waits for the user. It must be answered immediately
// as cancelled, and the server must continue.
func TestCancel(t *testing.T) {
	c := start(t, map[string]string{"a.yaml": oldCron}, nil)
	c.diagnostics("a.yaml", "0:12-25 removedapi")
	hold := make(chan struct{})
	defer close(hold)
	c.mu.Lock()
	c.answerGate = hold
	c.mu.Unlock()
	answer := make(chan error, 1)
	go func() {
		answer <- c.conn.Call(context.Background(), "workspace/executeCommand", map[string]any{"command": "kubevet.target"}, nil, jsonrpc2.PickID(jsonrpc2.ID{Str: "slow", IsString: true}))
	}()
	c.wait("the question", func() bool { return c.gateReached })
	c.notify("$/cancelRequest", map[string]any{"id": "slow"})
	select {
	case err := <-answer:
		var e *jsonrpc2.Error
		if !errors.As(err, &e) || e.Code != -32800 {
			t.Errorf("the answer is %v", err)
		}
	case <-time.After(testTimeout):
		t.Fatal("no answer")
	}
	if h := c.hover("a.yaml", pos{0, 14}); h != "" {
		t.Errorf("a hover over a document that is not open: %q", h)
	}
}

// TestRelated checks that a finding in the base of a kustomization names the overlay that
// renders the object.
func TestRelated(t *testing.T) {
	c := start(t, map[string]string{
		"base/kustomization.yaml": "resources: [cron.yaml]\n", "base/cron.yaml": oldCron,
		"prod/kustomization.yaml": "resources: [../base]\n",
	}, nil)
	c.diagnostics("base/cron.yaml", "0:12-25 removedapi")
	c.mu.Lock()
	defer c.mu.Unlock()
	raw, err := json.Marshal(c.diagnosticsByURI[c.uri("base/cron.yaml")])
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), "prod/kustomization.yaml") {
		t.Errorf("diagnostics %s", raw)
	}
}
