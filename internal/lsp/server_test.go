package lsp_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

const (
	oldIngress = `apiVersion: extensions/v1beta1
kind: Ingress
metadata:
  name: web
spec:
  backend:
    serviceName: web
    servicePort: 80
`
	goodMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data:
  a: b
`
)

// TestTyping checks that diagnostics depend on the text in the editor, and not on the
// text on the disk.
func TestTyping(t *testing.T) {
	c := start(t, map[string]string{"web.yaml": goodMap, "other.yaml": goodMap}, nil)
	c.open("web.yaml", goodMap)
	c.diagnostics("web.yaml")
	c.replace("web.yaml", 2, oldIngress)
	list := c.diagnostics("web.yaml", "0:12-30 removedapi")
	if list[0].Severity != 1 || !strings.Contains(list[0].Message, "extensions/v1beta1 Ingress") {
		t.Errorf("diagnostic %+v", list[0])
	}
	// This edit adds one character at the end of the version.
	c.change("web.yaml", 3, map[string]any{"range": rng{pos{0, 12}, pos{0, 30}}, "text": "networking.k8s.io/v1"})
	c.wait("version 3", func() bool {
		p := c.diagnosticsByURI[c.uri("web.yaml")]
		return p.Version != nil && *p.Version == 3 && len(p.Diagnostics) > 0 && p.Diagnostics[0].Code != "removedapi"
	})
	c.replace("web.yaml", 4, goodMap)
	c.diagnostics("web.yaml")
	c.noDiagnostics("other.yaml")
}

// TestWorkspace checks that files that are not open are checked, too. Closing a document
// must drop its unsaved text.
func TestWorkspace(t *testing.T) {
	c := start(t, map[string]string{"apps/web.yaml": oldIngress, "apps/good.yaml": goodMap, "deploy.sh": "kubectl run web --image=web --dry-run\n"}, nil)
	c.diagnostics("apps/web.yaml", "0:12-30 removedapi")
	c.diagnostics("deploy.sh", "0:28-37 kubectldryrun")
	c.noDiagnostics("apps/good.yaml")
	c.open("apps/web.yaml", goodMap)
	c.diagnostics("apps/web.yaml")
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri("apps/web.yaml")}})
	c.diagnostics("apps/web.yaml", "0:12-30 removedapi")
}

// TestColumns checks that columns count UTF-16 code units in messages to and from the
// server.
func TestColumns(t *testing.T) {
	text := "{\"note\": \"é😀日\", \"apiVersion\": \"extensions/v1beta1\", \"kind\": \"Ingress\", \"metadata\": {\"name\": \"web\"}}"
	c := start(t, nil, nil)
	c.open("web.json", text)
	c.diagnostics("web.json", "0:31-51 removedapi")
	// This edit replaces the text after the emoji, which has two code units.
	c.change("web.json", 2, map[string]any{"range": rng{pos{0, 13}, pos{0, 14}}, "text": "x"})
	c.change("web.json", 3, map[string]any{"range": rng{pos{0, 32}, pos{0, 50}}, "text": "v1"}, map[string]any{"range": rng{pos{0, 46}, pos{0, 53}}, "text": "Nothing"})
	c.wait("an unknown kind", func() bool {
		list := c.diagnosticsByURI[c.uri("web.json")].Diagnostics
		return len(list) > 0 && list[0].Code == "unknownkind"
	})
}

// TestLife checks the rules of the protocol about initialize, shutdown and exit.
func TestLife(t *testing.T) {
	code := func(err error) int64 {
		var e *jsonrpc2.Error
		if errors.As(err, &e) {
			return e.Code
		}
		return 0
	}
	c := connect(t, nil)
	if got := code(c.try("textDocument/hover", map[string]any{}, nil)); got != -32002 {
		t.Errorf("before initialize: code %d", got)
	}
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.yaml"), "text": oldIngress}})
	c.initialize(nil)
	if got := code(c.try("initialize", map[string]any{}, nil)); got != -32600 {
		t.Errorf("a second initialize: code %d", got)
	}
	if got := code(c.try("textDocument/rename", map[string]any{}, nil)); got != -32601 {
		t.Errorf("an unknown method: code %d", got)
	}
	if got := code(c.try("textDocument/hover", []int{1}, nil)); got != -32602 {
		t.Errorf("wrong parameters: code %d", got)
	}
	c.notify("$/unknown", map[string]any{})
	c.notify("$/cancelRequest", map[string]any{"id": 99})
	c.call("shutdown", nil, nil)
	if got := code(c.try("textDocument/hover", map[string]any{}, nil)); got != -32600 {
		t.Errorf("after shutdown: code %d", got)
	}
	c.notify("exit", nil)
	if !<-c.serveResult {
		t.Error("exit after shutdown is not orderly")
	}
	c.noDiagnostics("a.yaml")
}

func TestExitWithoutShutdown(t *testing.T) {
	c := start(t, nil, nil)
	c.notify("exit", nil)
	if <-c.serveResult {
		t.Error("exit without shutdown is orderly")
	}
}
