package lsp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/cli"
	"github.com/kubevet/kubevet/internal/lsp"
)

// asKubevet is an environment variable. If it is set, the test binary runs as kubevet.
const asKubevet = "KUBEVET_LSP_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(asKubevet) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestGo checks that a Go file is checked when it is saved, and not before.
func TestGo(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs("../../analyzers/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, enabled := range []bool{true, false} {
		c := connectTo(t, dir, lsp.Options{Program: []string{program}}, asKubevet+"=1")
		c.initialize(map[string]any{"go": enabled})
		name := "deprecatedapi/endpoints/endpoints.go"
		text, err := os.ReadFile(c.path(name))
		if err != nil {
			t.Fatal(err)
		}
		c.open(name, string(text))
		c.diagnostics(name)
		c.save(name)
		if !enabled {
			// This answer arrives after all earlier messages were handled. None of them
			// may have started a check.
			if h := c.hover(name, pos{0, 0}); h != "" {
				t.Errorf("hover %q", h)
			}
			c.noDiagnostics(name)
			continue
		}
		c.wait("a deprecated API", func() bool {
			list := c.diagnosticsByURI[c.uri(name)].Diagnostics
			return len(list) == 1 && list[0].Code == "deprecatedapi" && strings.Contains(list[0].Message, "Endpoints")
		})
		line := c.diagnosticsByURI[c.uri(name)].Diagnostics[0].Range.Start.Line
		actions := c.actions(name, line)
		if len(actions) != 1 || !strings.Contains(actions[0].Edit.apply(t, string(text)), "\t//kubevet:ignore deprecatedapi -- ") {
			t.Errorf("actions %+v", actions)
		}
		c.change(name, 2, map[string]any{"text": "package endpoints\n"})
		if actions := c.actions(name, line); len(actions) != 0 {
			t.Errorf("actions for another text: %+v", actions)
		}
	}
}
