package main

import (
	"bytes"
	"strings"
	"testing"
)

// machinery has the part of apimachinery that fruitTree needs.
var machinery = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1/types.go": "package v1\n" +
		"type TypeMeta struct {\n\tKind string `json:\"kind,omitempty\"`\n\tAPIVersion string `json:\"apiVersion,omitempty\"`\n}\n" +
		"type Time struct{ time.Time }\nfunc (t *Time) UnmarshalJSON(b []byte) error { return nil }\n",
}

// fruitTree returns the sources of an invented API group with one version. types
// is the source of its types.
func fruitTree(t *testing.T, types string) sources {
	t.Helper()
	files := map[string]string{
		"k8s.io/api/fruit/v1/register.go": register("fruit.example", "v1"),
		"k8s.io/api/fruit/v1/types.go":    "package v1\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n" + types,
	}
	for name, text := range machinery {
		files[name] = text
	}
	return writeTree(t, files)
}

// notation returns all types of f as text, one on each line.
func notation(f *typeFacts) string {
	var b strings.Builder
	for _, typ := range f.Types {
		b.WriteString(typ.Name)
		if typ.Own {
			b.WriteString(" own")
		}
		if typ.Underlying != "" {
			b.WriteString(" = " + typ.Underlying)
		}
		for _, field := range typ.Fields {
			b.WriteString("; " + field.JSON + " " + field.Go + " " + field.Type)
			if field.Embedded != "" {
				b.WriteString(" in " + field.Embedded)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

const appleType = "type Apple struct {\n" +
	"\tmetav1.TypeMeta `json:\",inline\"`\n" +
	"\tSkin `json:\",inline\"`\n" +
	"\tSeeds []*Seed `json:\"seeds\"`\n" +
	"\tRipe *metav1.Time `json:\"ripe,omitempty\"`\n" +
	"\tBare, secret int32\n" +
	"\tHidden string `json:\"-\"`\n" +
	"\tNotes map[Key][]byte `json:\"notes\"`\n" +
	"}\n" +
	"type Skin = Peel\n" +
	"type Peel struct {\n\tColour Colour `json:\"colour\"`\n\tRipe string `json:\"ripe\"`\n}\n" +
	"type Colour string\ntype Key = Colour\n" +
	"type Seed struct{ Inner *Apple }\n" +
	"type lost struct{}\n"

func TestExtractTypes(t *testing.T) {
	f, err := extractTypes(release{minor: 99}, fruitTree(t, appleType))
	if err != nil {
		t.Fatal(err)
	}
	const api, meta = "k8s.io/api/fruit/v1", "k8s.io/apimachinery/pkg/apis/meta/v1"
	want := "v1.Apple; Bare Bare int32; apiVersion APIVersion string in TypeMeta; colour Colour " + api + ".Colour in Skin; kind Kind string in TypeMeta; " +
		"notes Notes map[" + api + ".Colour][]uint8; ripe Ripe *" + meta + ".Time; seeds Seeds []*" + api + ".Seed\n" +
		"v1.Colour = string\nv1.Seed; Inner Inner *" + api + ".Apple\nv1.Time own\n"
	if got := notation(f); got != want {
		t.Errorf("types:\n%swant:\n%s", got, want)
	}
	if len(f.Roots) != 1 || f.Roots[0].String() != "fruit.example/v1 Apple" {
		t.Errorf("roots = %v, want Apple alone", f.Roots)
	}
}

func TestExtractTypesErrors(t *testing.T) {
	for code, want := range map[string]string{
		"type Apple struct { metav1.TypeMeta; A interface{} }":                                          "decoding is not known",
		"type Apple struct { metav1.TypeMeta; A other.Thing }":                                          "decoding is not known",
		"type Apple struct { metav1.TypeMeta; A metav1.Missing }":                                       "no type Missing",
		"type Apple struct { metav1.TypeMeta; metav1.Time }":                                            "embedded field that is no struct",
		"type Apple struct { metav1.TypeMeta; A int32 `json:\"a,string\"` }":                            "option string",
		"type Apple struct { metav1.TypeMeta; A int32 `json:\"a\"`; B int32 `json:\"a\"` }":             "two fields a",
		"type Apple[T any] struct { metav1.TypeMeta; A T }":                                             "generic",
		"type Apple struct { metav1.TypeMeta; A B }\ntype B struct{ C D }\ntype D = E\ntype E [3]int32": "decoding is not known",
	} {
		if _, err := extractTypes(release{minor: 99}, fruitTree(t, code)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", code, err, want)
		}
	}
}

// TestBuildTypes merges two releases. The second adds a field, removes one, and
// changes the type of one.
func TestBuildTypes(t *testing.T) {
	older, err := extractTypes(release{minor: 16}, fruitTree(t, appleType))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("Notes map[Key][]byte `json:\"notes\"`", "Stalk int64 `json:\"stalk\"`", "Bare, secret int32", "Bare, secret int64").Replace(appleType)
	newer, err := extractTypes(release{minor: 17}, fruitTree(t, changed))
	if err != nil {
		t.Fatal(err)
	}
	apple := &api{gvk: gvk{"fruit.example", "v1", "Apple"}, class: "Resource", servable: 1<<16 | 1<<17}
	list := &api{gvk: gvk{"fruit.example", "v1", "AppleList"}, class: "List", servable: 1<<16 | 1<<17}
	table, err := buildTypes([]*typeFacts{older, newer}, &table{apis: []*api{apple, list}})
	if err != nil {
		t.Fatal(err)
	}
	if len(table.roots) != 1 || table.roots[0].minors != apple.servable {
		t.Fatalf("roots = %v", table.roots)
	}
	var lines []string
	for _, f := range table.roots[0].typ.fields {
		lines = append(lines, f.json+" "+f.typ.shape+" "+f.typ.name+" "+f.minors.literal())
	}
	const both = "1<<18 - 1<<16"
	want := []string{
		"Bare integer32 int32 1<<16", "Bare integer int64 1<<17", "apiVersion text string " + both, "colour text v1.Colour " + both, "kind text string " + both,
		"notes dictionary map[v1.Colour][]uint8 1<<16", "ripe timestamp v1.Time " + both, "seeds list []*v1.Seed " + both, "stalk integer int64 1<<17",
	}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("fields:\n%s\nwant:\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}

	once, err := emitTypes(table)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := emitTypes(table); !bytes.Equal(once, again) {
		t.Error("the generated file differs from run to run")
	}

	apple.kindOnly(t, newer)
}

// kindOnly checks that a served kind without a Go type is an error.
func (a *api) kindOnly(t *testing.T, f *typeFacts) {
	t.Helper()
	missing := &api{gvk: gvk{"fruit.example", "v1", "Pear"}, class: "Resource", servable: 1 << 16}
	if _, err := buildTypes([]*typeFacts{f}, &table{apis: []*api{a, missing}}); err == nil || !strings.Contains(err.Error(), "no Go type for fruit.example/v1 Pear") {
		t.Errorf("error %v for a kind without a type", err)
	}
}

func TestTextPool(t *testing.T) {
	p := newTextPool([]string{"name", "hostname", "", "name", "spec"})
	for _, s := range []string{"name", "hostname", "spec"} {
		n, err := p.ref(s)
		if err != nil || p.text.String()[n>>8:][:n&0xff] != s {
			t.Errorf("ref(%q) = %d, %v in %q", s, n, err, p.text.String())
		}
	}
	if p.text.String() != "hostnamespec" {
		t.Errorf("text %q, want each name once", p.text.String())
	}
	if _, err := p.ref(strings.Repeat("x", 256)); err == nil {
		t.Error("a name of 256 bytes is taken")
	}
}
