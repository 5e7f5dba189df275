package gocmd

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTemplateWebhooks reads what templates of charts write out of webhooks.
func TestTemplateWebhooks(t *testing.T) {
	const head = "apiVersion: {{ .Values.api }}\nkind: MutatingWebhookConfiguration\nwebhooks:\n"
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"one", head + "- clientConfig:\n    service:\n      path: /a\n  sideEffects: None\n", []string{"mutating|/a|None||w.yaml:6"}},
		{"two alike", head + "- clientConfig: {}\n  path: \"/a\"\n  sideEffects: 'None'\n- path: /b\n  sideEffects: None\n", []string{"mutating|/a|None||w.yaml:5", "mutating|/b|None||w.yaml:7"}},
		{"two that differ", head + "- path: /a\n  sideEffects: None\n- path: /b\n  sideEffects: Some\n", nil},
		{"computed effects", head + "- path: /a\n  sideEffects: {{ .Values.effects }}\n", nil},
		{"computed path", head + "- path: /a-{{ .Release.Name }}\n  sideEffects: None\n", nil},
		{"no effects", head + "- path: /a\n", nil},
		{"two documents", head + "- path: /a\n  sideEffects: None\n---\n" + head + "- path: /b\n  sideEffects: Some\n", []string{"mutating|/a|None||w.yaml:4", "mutating|/b|Some||w.yaml:10"}},
		{"plain YAML is read as such", "kind: MutatingWebhookConfiguration\nwebhooks:\n- path: /a\n  sideEffects: None\n", nil},
		{"another kind", "kind: {{ .Values.kind }}\n# WebhookConfiguration\n- path: /a\n  sideEffects: None\n", nil},
		{"the option's separators", head + "- path: /a|b\n  sideEffects: None\n- path: /a,b\n  sideEffects: None\n", nil},
		{"and in effects", head + "- path: /a\n  sideEffects: None,x|y\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "w.yaml")
			if err := os.WriteFile(path, []byte(tt.text), 0o666); err != nil {
				t.Fatal(err)
			}
			if got := templateWebhooks(path, "w.yaml"); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := templateWebhooks(filepath.Join(t.TempDir(), "none"), "none"); got != nil {
		t.Errorf("a file that is not there: %q", got)
	}
}
