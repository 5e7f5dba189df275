package gocmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCodeWebhooks finds webhooks in Go code that creates webhook configurations.
func TestCodeWebhooks(t *testing.T) {
	const head = "package p\nimport reg \"k8s.io/api/admissionregistration/v1\"\n"
	const literal = head + "var hook = reg.MutatingWebhook{SideEffects: &none}\n"
	for _, tt := range []struct {
		name, file, text string
		want             []string
	}{
		{"a webhook", "p/a.go", literal, []string{"mutating||code||p/a.go:3"}},
		{"elements", "a.go", head + "var hooks = []reg.ValidatingWebhook{{Name: \"a\"},\n{SideEffects: &none}}\n", []string{"validating||code||a.go:4"}},
		{"an element with its type", "a.go", head + "var hooks = []any{reg.ValidatingWebhook{SideEffects: &none}}\n", []string{"validating||code||a.go:3"}},
		{"the package's own name", "a.go", strings.NewReplacer("import reg", "import", "reg.", "v1.").Replace(literal), []string{"mutating||code||a.go:3"}},
		{"v1beta1", "a.go", strings.ReplaceAll(literal, "/v1\"", "/v1beta1\""), nil},
		{"none", "a.go", strings.ReplaceAll(literal, "&none", "nil"), nil},
		{"another package", "a.go", strings.ReplaceAll(literal, "= reg.", "= other."), nil},
		{"another type", "a.go", strings.ReplaceAll(literal, "MutatingWebhook", "Rule"), nil},
		{"a test", "a_test.go", literal, nil},
		{"vendored", "vendor/a.go", literal, nil},
		{"another module", "sub/b.go", literal, nil},
		{"the option's separators", "a,b.go", literal, nil},
		{"no Go", "a.go", literal + "func {", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range map[string]string{tt.file: tt.text, "go.mod": "module a\n", "sub/go.mod": "module a/sub\n"} {
				path := filepath.Join(root, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			relative := func(path string) string {
				rel, err := filepath.Rel(root, path)
				if err != nil {
					t.Fatal(err)
				}
				return filepath.ToSlash(rel)
			}
			if got := codeWebhooks(root, relative); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := codeWebhooks(filepath.Join(t.TempDir(), "none"), filepath.ToSlash); got != nil {
		t.Errorf("a directory that is not there: %q", got)
	}
}

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
