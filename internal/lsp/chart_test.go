package lsp_test

import (
	"strings"
	"testing"
)

// chart returns the files of a chart in which a value chooses the version of an API.
func chart() map[string]string {
	return map[string]string{
		"web/Chart.yaml":             "apiVersion: v2\nname: web\nversion: 1.0.0\n",
		"web/values.yaml":            "api: networking.k8s.io/v1\n",
		"web/templates/ingress.yaml": "apiVersion: {{ .Values.api }}\nkind: Ingress\nmetadata:\n  name: web\nspec:\n  defaultBackend:\n    service:\n      name: web\n      port:\n        number: 80\n",
		"web/templates/map.yaml":     goodMap,
	}
}

// TestChart changes a value in the editor, without saving it. The diagnostics of the
// template that uses the value must change.
func TestChart(t *testing.T) {
	c := start(t, chart(), nil)
	c.open("web/values.yaml", chart()["web/values.yaml"])
	c.replace("web/values.yaml", 2, "api: extensions/v1beta1\n")
	c.wait("a removed API in the template", func() bool {
		list := c.diagnosticsByURI[c.uri("web/templates/ingress.yaml")].Diagnostics
		return len(list) > 0 && list[0].Code == "removedapi" || len(c.diagnosticsByURI[c.uri("web/values.yaml")].Diagnostics) > 0
	})
	c.replace("web/values.yaml", 3, "api: networking.k8s.io/v1\n")
	c.diagnostics("web/templates/ingress.yaml")
	c.diagnostics("web/values.yaml")
	// The template now has a mistake that is visible only after rendering.
	text := chart()["web/templates/ingress.yaml"]
	c.open("web/templates/ingress.yaml", text)
	c.replace("web/templates/ingress.yaml", 2, strings.Replace(text, ".Values.api }}", ".Values.api | nosuch }}", 1))
	c.wait("a template that does not render", func() bool {
		list := c.diagnosticsByURI[c.uri("web/templates/ingress.yaml")].Diagnostics
		return len(list) > 0 && list[0].Code == "syntax"
	})
	c.noDiagnostics("web/templates/map.yaml", "web/values.yaml")
}

// TestKustomization checks that a kustomization is built from the texts in the editor.
func TestKustomization(t *testing.T) {
	base := strings.Replace(goodMap, "\ndata:", "\nimmutable: true\ndata:", 1)
	c := start(t, map[string]string{
		"base/kustomization.yaml": "resources: [map.yaml]\n",
		"base/map.yaml":           base,
		"prod/kustomization.yaml": "resources: [../base]\npatches:\n- path: patch.yaml\n",
		"prod/patch.yaml":         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  c: d\n",
	}, nil)
	c.open("base/map.yaml", base)
	c.replace("base/map.yaml", 2, strings.Replace(base, "immutable: true", "immutable: maybe", 1))
	c.wait("the finding of the build in the base", func() bool {
		return len(c.diagnosticsByURI[c.uri("base/map.yaml")].Diagnostics) > 0
	})
	c.replace("base/map.yaml", 3, base)
	c.diagnostics("base/map.yaml")
	c.open("prod/kustomization.yaml", "")
	c.replace("prod/kustomization.yaml", 2, "resources: [../base]\npatches:\n- path: missing.yaml\n")
	c.wait("a kustomization that does not build", func() bool {
		return len(c.diagnosticsByURI[c.uri("prod/kustomization.yaml")].Diagnostics) > 0
	})
	c.noDiagnostics("base/kustomization.yaml", "base/map.yaml")
}

// TestDefinition checks custom resources with the unsaved definition in the editor.
func TestDefinition(t *testing.T) {
	definition := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
`
	widget := "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 3\n"
	c := start(t, map[string]string{"crd.yaml": definition, "widget.yaml": widget, "map.yaml": goodMap}, nil)
	c.open("crd.yaml", definition)
	c.replace("crd.yaml", 2, strings.Replace(definition, "{type: integer}", "{type: string}", 1))
	c.diagnostics("widget.yaml", "5:8-9 invalidfield")
	c.replace("crd.yaml", 3, definition)
	c.diagnostics("widget.yaml")
	c.noDiagnostics("map.yaml", "crd.yaml")
}
