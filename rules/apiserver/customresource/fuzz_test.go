package customresource

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// FuzzAnswer looks for definitions and objects that cause a panic.
func FuzzAnswer(f *testing.F) {
	const head = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"as.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{},"scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}},"schema":{"openAPIV3Schema":`
	for _, seed := range [][3]string{
		{head + `{"type":"object","properties":{"spec":{"type":"object","required":["n"],"properties":{"n":{"type":"integer","minimum":0,"multipleOf":0,"default":1},"l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","properties":{"k":{"type":"string","format":"date-time","pattern":"("}}}}}}}}}}]}}`,
			`{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"a","finalizers":["x",null,1]},"spec":{"n":"1","l":[{"k":"a"},{"k":"a"},null,3]}}`, `{"spec":{"l":[{"k":"a"}]}}`},
		{head + `{"x-kubernetes-preserve-unknown-fields":true,"x-kubernetes-embedded-resource":true,"oneOf":[{"not":{"anyOf":[{}]}},{"allOf":[{"enum":[null,1,"a"]}]}]}}}]}}`,
			`{"apiVersion":"example.com/v1","kind":"A","metadata":{"labels":1,"ownerReferences":[{"a":1}]},"spec":null,"x":{"metadata":[]}}`, ``},
		{`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"group":"example.com","version":"v1","names":{"kind":"A"},"validation":{"openAPIV3Schema":null}}}`,
			`{"apiVersion":"example.com/v1","kind":"A"}`, `null`},
	} {
		for _, minor := range []uint8{16, 21, 24, 28, 33, 37} {
			f.Add(seed[0], seed[1], seed[2], minor)
		}
	}
	f.Fuzz(func(t *testing.T, definition, object, stored string, minor uint8) {
		s := apiserver.Server{Minor: lifecycle.Minor(minor)}
		crd, err := wire.JSON([]byte(definition))
		if err != nil {
			return
		}
		obj, _ := wire.JSON([]byte(object))
		old, _ := wire.JSON([]byte(stored))
		for _, apiVersion := range []string{"apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"} {
			causes := DefinitionCauses(s, apiserver.Request{APIVersion: apiVersion, Kind: "CustomResourceDefinition", New: crd, Old: old})
			again := DefinitionCauses(s, apiserver.Request{APIVersion: apiVersion, Kind: "CustomResourceDefinition", New: crd, Old: old})
			if fmt.Sprint(len(causes)) != fmt.Sprint(len(again)) {
				t.Errorf("%d causes, then %d", len(causes), len(again))
			}
		}
		d, ok := Read(crd)
		if !ok {
			return
		}
		Answer(s, d, apiserver.Request{
			APIVersion: obj.Get("apiVersion").StringOr("example.com/v1"), Kind: obj.Get("kind").StringOr("A"), New: obj, Old: old,
		})
		for i := range d.Versions {
			d.Warning(s.Minor, d.Versions[i].Name)
		}
	})
}

// The time for deep and wide input must grow in proportion to its length.
func TestBounds(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 3000) + `{"type":"string"}` + strings.Repeat(`}}`, 3000)
	crd, err := wire.JSON([]byte(definitionOf(deep)))
	if err != nil {
		t.Fatal(err)
	}
	d, ok := Read(crd)
	if !ok {
		t.Fatal("no definition")
	}
	obj, err := wire.JSON([]byte(`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"a":` + strings.Repeat(`{"a":`, 4000) + `1` + strings.Repeat(`}`, 4000) + `}`))
	if err != nil {
		t.Fatal(err)
	}
	s := apiserver.Server{Minor: 37}
	DefinitionCauses(s, apiserver.Request{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", New: crd})
	Answer(s, d, apiserver.Request{APIVersion: "example.com/v1", Kind: "Backup", New: obj})

	wide := `{"type":"object","properties":{"spec":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string","maxLength":1}}}}`
	crd, err = wire.JSON([]byte(definitionOf(wide)))
	if err != nil {
		t.Fatal(err)
	}
	d, _ = Read(crd)
	var list strings.Builder
	for i := range 100000 {
		fmt.Fprintf(&list, `"v%d",`, i%60000)
	}
	obj, err = wire.JSON([]byte(`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":[` + list.String() + `"x"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if a := Answer(s, d, apiserver.Request{APIVersion: "example.com/v1", Kind: "Backup", New: obj}); len(a.Causes) < maxFailures {
		t.Errorf("%d causes, want at least %d", len(a.Causes), maxFailures)
	}
}

func definitionOf(schema string) string {
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"backups.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
		"names":{"plural":"backups","kind":"Backup"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":` + schema + `}}]}}`
}

// largeSchema returns a schema with n fields, each a list of objects.
func largeSchema(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"spec":{"type":"object","properties":{`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"field%d":{"type":"array","description":"Field number %d of a resource that is described at some length, as is usual.","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":63},"port":{"type":"integer","minimum":1,"maximum":65535},"mode":{"type":"string","enum":["Auto","Manual"],"default":"Auto"}}}}`, i, i)
	}
	b.WriteString(`}},"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}`)
	return b.String()
}

func BenchmarkDefinition(b *testing.B) {
	text := definitionOf(largeSchema(500))
	crd, err := wire.JSON([]byte(text))
	if err != nil {
		b.Fatal(err)
	}
	r := apiserver.Request{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", New: crd}
	b.Logf("a definition of %d KB", len(text)>>10)
	b.Run("causes", func(b *testing.B) {
		for b.Loop() {
			if causes := DefinitionCauses(apiserver.Server{Minor: 37}, r); len(causes) > 0 {
				b.Fatal(causes)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			d, _ := Read(crd)
			if d.Versions[0].Schema() == nil {
				b.Fatal("no schema")
			}
		}
	})
}

func BenchmarkAnswer(b *testing.B) {
	crd, err := wire.JSON([]byte(definitionOf(largeSchema(500))))
	if err != nil {
		b.Fatal(err)
	}
	d, _ := Read(crd)
	var fields strings.Builder
	for i := range 40 {
		fmt.Fprintf(&fields, `"field%d":[{"name":"a","port":80},{"name":"b","port":443,"mode":"Manual"}],`, i*7)
	}
	text := `{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"nightly","namespace":"prod"},"spec":{` + strings.TrimSuffix(fields.String(), ",") + `}}`
	obj, err := wire.JSON([]byte(text))
	if err != nil {
		b.Fatal(err)
	}
	r := apiserver.Request{APIVersion: "example.com/v1", Kind: "Backup", New: obj}
	b.Logf("an object of %d bytes", len(text))
	for b.Loop() {
		if a := Answer(apiserver.Server{Minor: 37}, d, r); len(a.Causes)+len(a.Warnings) > 0 {
			b.Fatal(a)
		}
	}
}
