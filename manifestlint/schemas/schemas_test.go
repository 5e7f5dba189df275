package schemas

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func tree(t *testing.T, text string) *wire.Value {
	t.Helper()
	v, err := wire.JSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestStructural(t *testing.T) {
	const any = `{"x-kubernetes-preserve-unknown-fields":true}`
	tests := []struct{ name, schema, want string }{
		{"a forbidden rest is no keyword of a definition", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string"}}}`},
		{"unknown fields stay preserved", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false,"x-kubernetes-preserve-unknown-fields":true}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"x-kubernetes-preserve-unknown-fields":true}`},
		{"a field that the converter adds", `{"type":"object","properties":{"properties":{"type":"string"},"additionalProperties":false}}`,
			`{"type":"object","properties":{"properties":{"type":"string"}}}`},
		{"texts are left out", `{"type":"string","description":"long","title":"x"}`, `{"type":"string"}`},
		{"or null", `{"type":["string","null"],"enum":["a",null]}`, `{"nullable":true,"type":"string","enum":["a",null]}`},
		{"integer or string", `{"type":["integer","string"]}`, `{"x-kubernetes-int-or-string":true}`},
		{"as converters write it", `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, `{"x-kubernetes-int-or-string":true}`},
		{"by its format", `{"type":"string","format":"int-or-string"}`, `{"x-kubernetes-int-or-string":true}`},
		{"as controller-gen writes it", `{"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true}`,
			`{"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true}`},
		{"several types", `{"type":["object","boolean"]}`, any},
		{"no type", `{"description":"x"}`, any},
		{"true", `{"type":"object","additionalProperties":true}`, `{"type":"object","x-kubernetes-preserve-unknown-fields":true}`},
		{"a map", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":"string"}}`},
		{"an empty object is pruned", `{"type":"object"}`, `{"type":"object"}`},
		{"items of any kind", `{"type":"array"}`, `{"type":"array","x-kubernetes-preserve-unknown-fields":true}`},
		{"items by their place", `{"type":"array","items":[{"type":"string"}]}`, `{"type":"array","x-kubernetes-preserve-unknown-fields":true}`},
		{"a constant", `{"type":"string","const":"a"}`, `{"type":"string","enum":["a"]}`},
		{"an exclusive limit of draft 6", `{"type":"integer","exclusiveMinimum":3}`, `{"type":"integer","exclusiveMinimum":true,"minimum":3}`},
		{"of draft 4", `{"type":"integer","exclusiveMaximum":true,"maximum":3}`, `{"type":"integer","exclusiveMaximum":true,"maximum":3}`},
		{"a pattern that is not for Go", `{"type":"string","pattern":"(?=x)"}`, `{"type":"string"}`},
		{"fields by pattern", `{"type":"object","patternProperties":{"^x":{}}}`, `{"type":"object","x-kubernetes-preserve-unknown-fields":true}`},
		{"alternatives with fields of their own", `{"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"properties":{"b":{}},"required":["b"]},{"required":["a"]}]}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"properties":{"b":{}},"required":["b"]},{"required":["a"]}],"x-kubernetes-preserve-unknown-fields":true}`},
		{"alternatives of a definition", `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"properties":{"a":{"enum":["x"]}}}]}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"properties":{"a":{"enum":["x"]}}}]}`},
		{"a reference", `{"$ref":"#/definitions/x.y~1z","nullable":true}`, `{"type":"integer","nullable":true}`},
		{"a reference to nothing", `{"$ref":"#/definitions/none"}`, any},
		{"a reference to another file", `{"$ref":"https://example.com/schema.json"}`, any},
		{"a recursive reference", `{"$ref":"#/definitions/loop"}`, `{"type":"object","properties":{"next":` + any + `}}`},
		{"an embedded resource", `{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"$ref":"#/definitions/loop"},"spec":{"type":"string"}}}`,
			`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"spec":{"type":"string"}}}`},
		{"no schema", `[]`, any},
	}
	const definitions = `,"definitions":{"x.y/z":{"type":"integer"},"loop":{"type":"object","properties":{"next":{"$ref":"#/definitions/loop"}}}}}`
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := tree(t, `{"properties":{"spec":`+tt.schema+`}`+definitions)
			got, ok := newConverter(doc).structural(doc)
			if !ok {
				t.Fatal("too large")
			}
			if diff := cmp.Diff(tt.want, string(objectcontext.AppendJSON(nil, got.At("properties", "spec")))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestStructuralObject checks that the schema of a whole object does not
// describe the type and the metadata, except for the name.
func TestStructuralObject(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{`{"type":"object","properties":{"apiVersion":{"type":"integer"},"kind":{},"metadata":{"properties":{"name":{"maxLength":3},"labels":{}}},"spec":{"type":"string"}}}`,
			`{"type":"object","properties":{"spec":{"type":"string"},"metadata":{"properties":{"name":{"maxLength":3,"x-kubernetes-preserve-unknown-fields":true}}}}}`},
		{`{"type":"object"}`, `{"type":"object","x-kubernetes-preserve-unknown-fields":true}`},
	} {
		doc := tree(t, tt.schema)
		got, _ := newConverter(doc).structural(doc)
		if diff := cmp.Diff(tt.want, string(objectcontext.AppendJSON(nil, got))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestStructuralBounded converts a schema whose references grow exponentially.
func TestStructuralBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/definitions/a0","definitions":{`)
	names := "abcdefghijklmnopqrstuvwxyz"
	for i := range len(names) - 1 {
		next := `{"$ref":"#/definitions/` + names[i+1:i+2] + `0"}`
		b.WriteString(`"` + names[i:i+1] + `0":{"type":"object","properties":{"x":` + next + `,"y":` + next + `,"z":` + next + `}},`)
	}
	b.WriteString(`"z0":{"type":"string","enum":["` + strings.Repeat("x", 1<<16) + `"]}}}`)
	doc := tree(t, b.String())
	if _, ok := newConverter(doc).structural(doc); ok {
		t.Error("3 to the power of 25 schemas are few")
	}
}

// TestStructuralIsFast converts schemas in which references repeat large
// values. Each repetition costs time, even if the definition does not contain
// the value.
func TestStructuralIsFast(t *testing.T) {
	var names, falses, unknown strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&names, `,"n%d":{}`, i)
		fmt.Fprintf(&falses, `,"f%d":false`, i)
		fmt.Fprintf(&unknown, `,"u%d":1`, i)
	}
	var many, spelled []string
	for i := range 512 {
		many = append(many, strings.Repeat(`{"$ref":"#/definitions/aaaaaaaaa"},`, 20)+`{}`)
		ref := ""
		for bit := range 9 {
			ref += []string{"a", "%61"}[i>>bit&1]
		}
		spelled = append(spelled, fmt.Sprintf(`"x%d":{"$ref":"#/definitions/%s"}`, i, ref))
	}
	allOf := `"allOf":[` + strings.Join(many, ",") + `]`
	for name, a := range map[string]string{
		"a long reference": `{"$ref":"#/definitions/` + strings.Repeat("x", 1<<20) + `"}`,
		"unknown keywords": `{"type":"object"` + unknown.String() + `}`,
		"forbidden fields": `{"properties":{"x":{}` + falses.String() + `}}`,
		"many types":       `{"type":["x"` + strings.Repeat(`,"string"`, 1<<18) + `]}`,
		"a long pattern":   `{"pattern":"` + strings.Repeat("(a|b)", 1<<16) + `"}`,
		"other spellings":  `{"properties":{` + strings.Join(spelled, ",") + names.String() + `}}`,
	} {
		doc := tree(t, `{`+allOf+`,"definitions":{"aaaaaaaaa":`+a+`}}`)
		start := time.Now()
		_, ok := newConverter(doc).structural(doc)
		if took := time.Since(start); ok || took > 20*time.Second {
			t.Errorf("%s: %t after %s", name, ok, took)
		}
	}
}

// TestManyLargeSchemas reads an OpenAPI document in which all kinds refer to
// the same large schemas.
func TestManyLargeSchemas(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"swagger":"2.0","definitions":{"big":{"type":"object","properties":{"x":{}`)
	for i := range 20_000 {
		fmt.Fprintf(&b, `,"field%d":{"type":"string"}`, i)
	}
	b.WriteString(`}}`)
	for i := range 1000 {
		fmt.Fprintf(&b, `,"k%d":{"properties":{"a":{"$ref":"#/definitions/big"},"b":{"$ref":"#/definitions/big"}},"x-kubernetes-group-version-kind":[{"group":"a.io","version":"v1","kind":"K%d"}]}`, i, i)
	}
	b.WriteString(`}}`)
	c := &Catalog{}
	if ok, err := c.Read(inMemory("x.json", b.String()), Identity{}, true); ok || err == nil || err.Error() != "x.json: the schemas together exceed 128 MiB" {
		t.Errorf("%t, %v", ok, err)
	}
}

// TestManyGroups requests the definitions of many groups. The schemas name no
// group, so they are used for all groups. Each schema's file must be read once,
// and each problem must be reported once.
func TestManyGroups(t *testing.T) {
	opened := 0
	in := func(name, text string) manifestlint.Input {
		return manifestlint.Input{Name: name, Open: func() (io.ReadCloser, error) { opened++; return inMemory(name, text).Open() }}
	}
	c := &Catalog{}
	c.AddFile(in("widget_v1.json", `{"properties":{"x":{"enum":["`+strings.Repeat("x", 1<<22)+`"]}}}`), Identity{Kind: "widget", Version: "v1"})
	c.AddFile(in("widget_v2.json", `{`), Identity{Kind: "widget", Version: "v2"})
	opened = 0
	for i := range 100 {
		d := c.Definition(fmt.Sprintf("g%d.io", i), "Widget")
		if (d != nil) != (i < 30) {
			t.Errorf("group %d: %t", i, d != nil)
		}
	}
	if p := c.Problems(); opened != 2 || len(p) != 2 || p[0].Err.Error() != "widget_v1.json: the schemas together exceed 128 MiB" {
		t.Errorf("opened %d times, problems %v", opened, p)
	}
}

func TestIdentify(t *testing.T) {
	for _, tt := range []struct {
		name, dir string
		want      Identity
	}{
		{"catalog/cert-manager.io/certificate_v1.json", "catalog", Identity{Group: "cert-manager.io", Kind: "certificate", Version: "v1"}},
		{"certificate_v1.json", ".", Identity{Kind: "certificate", Version: "v1"}},
		{"schemas/certificate_v1beta1.json", "./schemas/", Identity{Kind: "certificate", Version: "v1beta1"}},
		{"schemas/v1.29/certificate_v1.json", "schemas", Identity{Kind: "certificate", Version: "v1", Unsure: true}},
		{"x/master-standalone/certificate-cert-manager-v1.json", "x", Identity{Label: "cert-manager", Kind: "certificate", Version: "v1"}},
		{"x/cert-manager.io_certificate_v1.json", "x", Identity{Group: "cert-manager.io", Kind: "certificate", Version: "v1"}},
		{"x/certificate_cert-manager.io_v1.json", "x", Identity{Group: "cert-manager.io", Kind: "certificate", Version: "v1"}},
		{"x/containerservice.azure.com/managedcluster_v1api20231001.json", "x", Identity{Group: "containerservice.azure.com", Kind: "managedcluster", Version: "v1api20231001"}},
		{"x/pod-v1.json", "x", Identity{}},
		{"x/package.json", "x", Identity{}},
		{"x/crd_v1.yaml", "x", Identity{}},
	} {
		got, ok := Identify(tt.name, tt.dir)
		if got != tt.want || ok != (tt.want != Identity{}) {
			t.Errorf("%s: got %+v, %v", tt.name, got, ok)
		}
	}
}

func TestTemplate(t *testing.T) {
	for _, tt := range []struct {
		location, glob, name string
		want                 Identity
	}{
		{"a/{{.Group}}/{{ .ResourceKind }}_{{- .ResourceAPIVersion -}}.json", "a/*/*_*.json", "a/example.com/widget_v1.json",
			Identity{Group: "example.com", Kind: "widget", Version: "v1"}},
		{"./{{ .NormalizedKubernetesVersion }}-standalone{{ .StrictSuffix }}/{{ .ResourceKind }}{{ .KindSuffix }}.json", "*-standalone*/*.json",
			"v1.29.0-standalone-strict/widget-my-group-v1.json", Identity{Label: "my-group", Kind: "widget", Version: "v1"}},
		{"{{.Group}}/{{.Group}}-{{.ResourceKind}}-{{.ResourceAPIVersion}}.json", "*/*-*-*.json", "a.io/b.io-widget-v1.json", Identity{}},
		{"{{.ResourceKind}}.{{.ResourceAPIVersion}}.json", "*.*.json", "widget.v1.yaml", Identity{}},
	} {
		got, err := ParseTemplate(tt.location)
		if err != nil {
			t.Errorf("%s: %v", tt.location, err)
			continue
		}
		id, ok := got.Identify(tt.name)
		if got.Glob != tt.glob || id != tt.want || ok != (tt.want != Identity{}) {
			t.Errorf("%s: glob %s, %s is %+v, %v", tt.location, got.Glob, tt.name, id, ok)
		}
	}
	for location, want := range map[string]string{
		"{{.Group}}.json":                                 "it needs {{ .ResourceKind }}",
		"{{.ResourceKind}}/{{.Secret}}.json":              "there is no variable {{ .Secret }}",
		"{{ range .X }}{{.ResourceKind}}{{end}}":          "only the variables",
		"*/{{.ResourceKind}}_{{.ResourceAPIVersion}}":     "only the variables",
		"{{.ResourceKind}}_{{.ResourceAPIVersion}}.json{": "only the variables",
	} {
		if _, err := ParseTemplate(location); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", location, err, want)
		}
	}
}

func inMemory(name, text string) manifestlint.Input {
	return manifestlint.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

// versions returns the versions of a kind in a catalog, each with a mark of the
// input that describes it.
func versions(c *Catalog, group, kind string) string {
	o := c.Definition(group, kind)
	if o == nil {
		return ""
	}
	var all []string
	for _, v := range o.Body().At("spec", "versions").Elements() {
		mark := ""
		for _, f := range v.At("schema", "openAPIV3Schema", "properties").Entries() {
			mark += f.Name
		}
		all = append(all, v.Get("name").Text+":"+mark)
	}
	return strings.Join(all, " ")
}

func TestDefinition(t *testing.T) {
	schema := func(mark string) string { return `{"type":"object","properties":{"` + mark + `":{"type":"string"}}}` }
	c := &Catalog{}
	for _, f := range []struct {
		name, text string
	}{
		{"any/widget_v1.json", schema("any")},
		{"any/widget-example-v1.json", schema("label")},
		{"any/example.com/widget_v1.json", schema("group")},
		{"any/example.com/widget_v2.json", schema("second")},
		{"any/example.com/widget_v3.json", "{"},
		{"any/deep/er/gadget_v1.json", schema("unsure")},
		{"any/deep/er/gizmo_v1.json", `{"properties":{"x":{"type":"string"}},"x-kubernetes-group-version-kind":{"group":"example.com","version":"v1","kind":"Gizmo"}}`},
		{"any/apps/deployment_v1.json", schema("x")},
		{"any/apps/deployment-apps-v1.json", schema("x")},
	} {
		id, ok := Identify(f.name, "any")
		if !ok || !c.AddFile(inMemory(f.name, f.text), id) {
			t.Fatalf("%s is not a schema", f.name)
		}
	}
	if c.AddFile(inMemory("any/widget_v1.json", `{"kind":"CustomResourceDefinition"}`), Identity{}) {
		t.Error("a definition is a schema")
	}
	for _, tt := range []struct{ group, kind, want string }{
		{"example.com", "Widget", "v1:group v2:second"},
		{"example.org", "Widget", "v1:label"},
		{"other.org", "Widget", "v1:any"},
		{"example.com", "Gadget", ""},
		{"example.com", "Gizmo", "v1:x"},
		{"example.org", "Gizmo", ""},
		{"example.com", "GIZMO", ""},
		{"apps", "Deployment", ""},
		{"", "Widget", ""},
		{"example.com", "", ""},
	} {
		if got := versions(c, tt.group, tt.kind); got != tt.want {
			t.Errorf("%s of %q: got %q, want %q", tt.kind, tt.group, got, tt.want)
		}
	}
	if p := c.Problems(); len(p) != 1 || p[0].Err.Error() != "any/example.com/widget_v3.json:1:2: unexpected end of JSON input" {
		t.Errorf("problems: %v", p)
	}
	if (*Catalog)(nil).Definition("example.com", "Widget") != nil || (*Catalog)(nil).Problems() != nil {
		t.Error("a nil catalog has something")
	}
}

// FuzzRead reads arbitrary texts as schemas, with file names of all layouts.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"properties":{"spec":{"$ref":"#/definitions/a"}},"definitions":{"a":{"allOf":[{"$ref":"#/definitions/a"}]}},"x-kubernetes-group-version-kind":[{"group":"a.io","version":"v1","kind":"Widget"}]}`))
	f.Add([]byte(`{"openapi":"3","paths":{"/apis/a.io/v1/namespaces/{namespace}/widgets/{name}/status":{"get":{"x-kubernetes-group-version-kind":{"group":"a.io","version":"v1","kind":"Widget"}}}},"components":{"schemas":{"W":{"type":["a","null"],"items":{},"x-kubernetes-group-version-kind":[{"group":"a.io","version":"v1","kind":"Widget"}]}}}}`))
	f.Add([]byte("openapi: 3.0.0\ncomponents: {schemas: {}}\n"))
	f.Add([]byte(`{"type":"object","properties":false,"oneOf":[null,{"properties":{"":1}}],"enum":{},"required":3,"default":[],"pattern":"("}`))
	f.Add([]byte(`{"paths":{"a":{"serverRelativeURL":""}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := inMemory("x.json", string(data))
		read, later := &Catalog{}, &Catalog{}
		ok, err := read.Read(in, Identity{Kind: "widget", Version: "v1"}, true)
		later.AddFile(in, Identity{Group: "a.io", Kind: "widget", Version: "v1"})
		for _, c := range []*Catalog{read, later} {
			if o := c.Definition("a.io", "Widget"); o != nil && o.Body().At("spec", "versions").Elements() == nil {
				t.Error("a definition without versions")
			}
		}
		if ok && err != nil {
			t.Errorf("read, but %v", err)
		}
	})
}
