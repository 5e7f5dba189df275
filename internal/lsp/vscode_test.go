package lsp_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestVSCode sends messages that vscode-languageclient 11 sent. The messages were
// recorded by test/run.js in editors/vscode: typing, a hover, code lenses, code actions,
// a suppression with a reason, another target, and the end.
func TestVSCode(t *testing.T) {
	trace, err := os.ReadFile("testdata/vscode.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, map[string]string{"cron.yaml": oldCron})
	results := map[string]string{}
	for line := range strings.Lines(string(trace)) {
		line = strings.NewReplacer("DIR", strings.TrimSuffix(c.uri(""), "/"), "PATH", c.dir).Replace(line)
		var m struct {
			ID     *json.RawMessage
			Method string
			Params *json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		switch {
		case m.Method == "": // skip recorded answers, because the client of this test sends its own answers
		case m.ID == nil:
			if m.Params == nil {
				c.notify(m.Method, nil)
			} else {
				c.notify(m.Method, m.Params)
			}
		default:
			if m.Method == "textDocument/hover" {
				c.wait("version 3", func() bool {
					p := c.diagnosticsByURI[c.uri("cron.yaml")]
					return p.Version != nil && *p.Version == 3 && len(p.Diagnostics) == 1
				})
			}
			var result json.RawMessage
			var params any
			if m.Params != nil {
				params = m.Params
			}
			c.call(m.Method, params, &result)
			results[m.Method] = string(result)
		}
	}
	if !<-c.serveResult {
		t.Error("the end is not orderly")
	}
	for method, want := range map[string]string{
		"initialize":               `"positionEncoding":"utf-16"`,
		"textDocument/hover":       "removed: 1.25",
		"textDocument/codeLens":    `"Kubernetes 1.`,
		"textDocument/codeAction":  `"kubevet.suppressWithReason"`,
		"workspace/executeCommand": `"1.24"`,
	} {
		if !strings.Contains(results[method], want) {
			t.Errorf("%s: no %s in %s", method, want, results[method])
		}
	}
	if len(c.edits) != 1 || !strings.Contains(string(c.edits[0]), "-- the cluster is old") {
		t.Errorf("edits %s", c.edits)
	}
}
