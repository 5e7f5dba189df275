package customresource

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// TestHostileRules has rules that would take minutes or gigabytes. They must not
// be evaluated, and Unknown must say so.
func TestHostileRules(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	many := func(n int) string {
		return strings.Repeat("self.s != 'a' || ", n) + "true"
	}
	for _, tt := range []struct {
		name, rule, s string
		unknown       bool
	}{
		{"plain", "self.s != ''", "a", false},
		{"a pattern", "self.s.matches('^[a-z]+$')", strings.Repeat("a", 60000), false},
		{"a pattern that explodes", "self.s.matches('" + strings.Repeat("(a?){1000}", 20) + "')", strings.Repeat("a", 60000), true},
		{"a pattern from the object", "self.s.matches(self.s)", strings.Repeat("(a?){1000}", 500), true},
		{"a short pattern from the object", "self.s.matches(self.s)", "a+", false},
		{"replace", "self.s.replace('', self.s).size() > 0", long, true},
		{"replace by less", "self.s.replace('aa', 'b').size() > 0", long, false},
		{"replace literals", "'" + strings.Repeat("a", 9000) + "'.replace('a', '" + strings.Repeat("b", 9000) + "').replace('b', '" + strings.Repeat("c", 4000) + "') != ''", "a", true},
		{"join", "[self.s, self.s].join(self.s) != ''", long, true},
		{"many terms", many(5800), "b", true},
		{"some terms", many(100), "b", false},
		{"deep lists", strings.Repeat("[", 240) + "1" + strings.Repeat("]", 240) + " != [] || self.s != ''", "a", true},
	} {
		crd, err := wire.JSON([]byte(definitionOf(`{"type":"object","properties":{"spec":{"type":"object","properties":{"s":{"type":"string"}},"x-kubernetes-validations":[{"rule":` + jsonText(tt.rule) + `}]}}}`)))
		if err != nil {
			t.Fatal(err)
		}
		d, _ := Read(crd)
		obj, err := wire.JSON([]byte(`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":{"s":` + jsonText(tt.s) + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		s := apiserver.Server{Minor: 37}
		DefinitionCauses(s, apiserver.Request{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", New: crd})
		a := Answer(s, d, apiserver.Request{APIVersion: "example.com/v1", Kind: "Backup", New: obj})
		if got := len(a.Unknown) > 0; got != tt.unknown {
			t.Errorf("%s: unknown = %q", tt.name, a.Unknown)
		}
	}
}

// TestManyRules has more schemas with rules than may be compiled.
func TestManyRules(t *testing.T) {
	var fields, values strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&fields, `"f%d":{"type":"string","x-kubernetes-validations":[{"rule":"self != ''"}]},`, i)
		fmt.Fprintf(&values, `"f%d":"",`, i)
	}
	d := mustRead(t, definitionOf(`{"type":"object","properties":{"spec":{"type":"object","properties":{`+fields.String()+`"last":{"type":"string"}}}}}`))
	obj, err := wire.JSON([]byte(`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":{` + values.String() + `"last":""}}`))
	if err != nil {
		t.Fatal(err)
	}
	a := Answer(apiserver.Server{Minor: 37}, d, apiserver.Request{APIVersion: "example.com/v1", Kind: "Backup", New: obj})
	if len(a.Causes) == 0 || len(a.Causes) == 2000 || len(a.Unknown) != 1 {
		t.Errorf("%d causes, unknown = %q", len(a.Causes), a.Unknown)
	}
}

func TestRulePlaces(t *testing.T) {
	d := mustRead(t, definitionOf(`{"type":"object","properties":{"spec":{"type":"object","properties":{
		"a":{"type":"object","properties":{"b":{"type":"integer"},"c":{"type":"object","properties":{"d":{"type":"string"}}}},"x-kubernetes-validations":[{"rule":"self.b > 1","fieldPath":".b"},{"rule":"self.b > 2","fieldPath":".c.d"}]},
		"m":{"type":"object","additionalProperties":{"type":"object","properties":{"w":{"type":"integer"}}},"x-kubernetes-validations":[{"rule":"false","fieldPath":"['x.y'].w"}]},
		"l":{"type":"array","items":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 1"}]}}}}}}`))
	obj, err := wire.JSON([]byte(`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":{
"a":{"b":1},
"m":{"x":{},"x.y":{
"w":7}},
"l":[2,
0]}}`))
	if err != nil {
		t.Fatal(err)
	}
	a := Answer(apiserver.Server{Minor: 37}, d, apiserver.Request{APIVersion: "example.com/v1", Kind: "Backup", New: obj})
	var got []string
	for _, c := range a.Causes {
		got = append(got, fmt.Sprintf("%d:%d %s", c.At.Pos.Line, c.At.Pos.Column, c.Field))
	}
	want := "2:10 spec.a.b, 2:5 spec.a.c.d, 4:5 spec.m.[x.y].w, 6:1 spec.l[1]"
	if strings.Join(got, ", ") != want {
		t.Errorf("places %q, want %q", got, want)
	}
}
