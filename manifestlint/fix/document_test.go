package fix

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

var path = conversion.Fields

func str(s string) *wire.Value { return &wire.Value{Kind: wire.String, Text: s} }
func num(s string) *wire.Value { return &wire.Value{Kind: wire.Number, Text: s} }

func object(fields ...wire.Field) *wire.Value { return &wire.Value{Kind: wire.Map, Fields: fields} }
func field(name string, v *wire.Value) wire.Field {
	return wire.Field{Name: name, Value: v}
}
func list(items ...*wire.Value) *wire.Value { return &wire.Value{Kind: wire.List, Items: items} }

func set(p conversion.Path, v *wire.Value) conversion.Step {
	return conversion.Step{Op: conversion.Set, Path: p, Value: v}
}
func move(from, to conversion.Path) conversion.Step {
	return conversion.Step{Op: conversion.Move, Path: from, To: to}
}
func del(p conversion.Path) conversion.Step {
	return conversion.Step{Op: conversion.Delete, Path: p}
}

// applyEdits returns a text after edits.
func applyEdits(text string, edits []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	return b.String() + text[at:]
}

func TestEdits(t *testing.T) {
	backend := []conversion.Step{
		set(path("apiVersion"), str("networking.k8s.io/v1")),
		move(path("spec", "backend", "serviceName"), path("spec", "backend", "service", "name")),
		move(path("spec", "backend", "servicePort"), path("spec", "backend", "service", "port", "number")),
		{Op: conversion.Rename, Path: path("spec", "backend"), Name: "defaultBackend"},
	}
	tests := []struct {
		name       string
		text, want string
		json       bool
		steps      []conversion.Step
	}{
		{
			name: "block", steps: backend,
			text: `---
# an ingress
apiVersion: "extensions/v1beta1"   # old
kind: Ingress
spec:
  # where to
  backend: # the default
    # its name
    serviceName: 'web' # inline
    # its port
    servicePort: 80	# tab

  rules: []
`,
			want: `---
# an ingress
apiVersion: "networking.k8s.io/v1"   # old
kind: Ingress
spec:
  # where to
  defaultBackend: # the default
    # its name
    service:
      name: 'web' # inline
      port:
        # its port
        number: 80	# tab

  rules: []
`,
		},
		{
			name: "flow", steps: backend,
			text: "apiVersion: extensions/v1beta1\nspec: { backend: { serviceName: web, servicePort: 80 }, rules: [] } # c\n",
			want: "apiVersion: networking.k8s.io/v1\nspec: { defaultBackend: { service: { name: web, port: { number: 80 } } }, rules: [] } # c\n",
		},
		{
			name: "json", steps: backend, json: true,
			text: `{"apiVersion":"extensions/v1beta1","spec":{"backend":{"serviceName":"web","servicePort":80}}}`,
			want: `{"apiVersion":"networking.k8s.io/v1","spec":{"defaultBackend":{"service":{"name":"web","port":{"number":80}}}}}`,
		},
		{
			name: "json on lines", steps: backend, json: true,
			text: `{
	"apiVersion": "extensions/v1beta1",
	"spec": {
		"backend": {
			"serviceName": "web",
			"servicePort": 80
		}
	}
}`,
			want: `{
	"apiVersion": "networking.k8s.io/v1",
	"spec": {
		"defaultBackend": {
			"service": {
				"name": "web",
				"port": {
					"number": 80
				}
			}
		}
	}
}`,
		},
		{
			name: "CRLF and no line break at the end", steps: backend,
			text: "apiVersion: extensions/v1beta1\r\nspec:\r\n    backend:\r\n        serviceName: wéb\r\n        servicePort: 80",
			want: "apiVersion: networking.k8s.io/v1\r\nspec:\r\n    defaultBackend:\r\n        service:\r\n            name: wéb\r\n            port:\r\n                number: 80",
		},
		{
			name:  "the item's first field",
			steps: []conversion.Step{move(path("a").Item(0).Field("x"), path("a").Item(0).Field("z", "x")), move(path("a").Item(1).Field("x"), path("a").Item(1).Field("v", "x"))},
			text:  "a:\n- x: 1\n  w: 2\n- x: 3 # three\n  v:\n    u: 4\n",
			want:  "a:\n- z:\n    x: 1\n  w: 2\n- v:\n    u: 4\n    x: 3 # three\n",
		},
		{
			name:  "a subtree, to the left",
			steps: []conversion.Step{move(path("a", "b", "c"), path("d"))},
			text:  "a:\n  b:\n    # c's\n    c: # why\n      # inner\n      e: |\n        text\n         more\n\n        end\n      f: [1,\n        2]\n      # last\n    g: 1\n",
			want:  "a:\n  b:\n    g: 1\n# c's\nd: # why\n  # inner\n  e: |\n    text\n     more\n\n    end\n  f: [1,\n    2]\n  # last\n",
		},
		{
			name:  "what empties a map",
			steps: []conversion.Step{move(path("a", "b"), path("c"))},
			text:  "a: # a\n  b: 1\nd: 2\n",
			want:  "a: {} # a\nd: 2\nc: 1\n",
		},
		{
			name:  "delete keeps comments",
			steps: []conversion.Step{del(path("a", "b")), del(path("l").Item(1)), del(path("nothing", "here"))},
			text:  "a:\n  # above\n  b: # why\n    c: 1 # one\n    # below\n  d: 2\nl:\n- 1\n- 2 # two\n- 3\n",
			want:  "a:\n  # above\n  # why\n  # one\n  # below\n  d: 2\nl:\n- 1\n# two\n- 3\n",
		},
		{
			name:  "delete the last",
			steps: []conversion.Step{del(path("b"))},
			text:  "a: 1\nb:\n  c: 2",
			want:  "a: 1",
		},
		{
			name: "new fields",
			steps: []conversion.Step{
				{Op: conversion.Set, Path: path("spec", "selector"), Before: "template", Value: object(field("matchLabels", object(field("app", str("on")), field("k", str("1")))))},
				set(path("spec", "list"), list(object(field("a", num("1")), field("b", list(str("x")))), list(num("1")), str("")))},
			text: "spec:\n    replicas: 1\n    # the pods\n    template:\n        x:\n          - 1\n",
			want: "spec:\n    replicas: 1\n    selector:\n        matchLabels:\n            app: \"on\"\n            k: \"1\"\n    # the pods\n    template:\n        x:\n          - 1\n    list:\n      - a: 1\n        b:\n          - x\n      - - 1\n      - \"\"\n",
		},
		{
			name:  "into what is empty",
			steps: []conversion.Step{set(path("a", "x"), num("1")), set(path("b", "x"), num("1")), set(path("c").Item(0), str("z")), set(path("d"), object(field("x", num("1"))))},
			text:  "a: {} # a\nb:\nc: []\nd: old # d\n",
			want:  "a:\n  x: 1\n  # a\nb:\n  x: 1\nc:\n- z\nd:\n  x: 1\n  # d\n",
		},
		{
			name:  "anchors stay",
			steps: []conversion.Step{set(path("apiVersion"), str("v1")), set(path("l", "y"), str("2"))},
			text:  "apiVersion: &v v0\nl: &l\n  x: &x {a: b}\nm: *x\n",
			want:  "",
		},
		{
			name:  "anchors elsewhere",
			steps: []conversion.Step{set(path("apiVersion"), str("v1")), move(path("l"), path("s", "l"))},
			text:  "apiVersion: v0\nl:\n  x: &x {a: b}\n  y: *x\nm:\n  <<: *x\ns:\n  t: 1\n",
			want:  "",
		},
		{
			name:  "anchors that stay before their aliases",
			steps: []conversion.Step{set(path("apiVersion"), str("v1")), move(path("l"), path("k", "l"))},
			text:  "apiVersion: v0\nl:\n  x: &x {a: b}\n  y: *x\nm:\n  <<: *x\n",
			want:  "apiVersion: v1\nk:\n  l:\n    x: &x {a: b}\n    y: *x\nm:\n  <<: *x\n",
		},
		{
			name:  "the values of lists",
			steps: []conversion.Step{move(path("a").Item(0), path("b")), set(path("a").Item(1), num("9"))},
			text:  "a:\n  # one\n  - x: 1\n    y: 2\n  - 3\n",
			want:  "a:\n  - 3\n  - 9\n# one\nb:\n  x: 1\n  y: 2\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edits, err := (&Document{Text: []byte(tt.text), JSON: tt.json}).Edits(tt.steps)
			if tt.want == "" {
				if err == nil {
					t.Fatalf("not refused:\n%s", applyEdits(tt.text, edits))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, applyEdits(tt.text, edits)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
