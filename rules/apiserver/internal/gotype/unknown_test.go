package gotype

import (
	"slices"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Servers up to 1.22 do not report unknown fields, but drop them.
func TestUnknownBeforeServersTell(t *testing.T) {
	v, err := wire.JSON([]byte(`{"apiVersion":"extensions/v1beta1","kind":"Deployment","spec":{"selektor":{},"template":{"spec":{
		"containers":[{"name":"a","image":"b","startupProbe":{},"resizePolicy":[]}],"securityContext":{"seccompProfile":{"type":"RuntimeDefault"}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	o := Object{APIVersion: "extensions/v1beta1", Kind: "Deployment", Value: v}
	if out := Decode(17, o, true); len(out.Dropped) != 0 || out.Error != "" {
		t.Fatalf("a 1.17 server said something: %+v", out)
	}
	var got []string
	for _, f := range Unknown(17, o) {
		got = append(got, f.Field)
	}
	want := []string{"spec.selektor", "spec.template.spec.containers[0].resizePolicy", "spec.template.spec.securityContext.seccompProfile"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	o.APIVersion = "apps/v1"
	var later []string
	for _, f := range Unknown(37, o) {
		later = append(later, f.Field)
	}
	if !slices.Equal(later, want[:1]) {
		t.Errorf("1.37: got %q, want %q", later, want[:1])
	}
	if n := Unknown(18, Object{APIVersion: "extensions/v1beta1", Kind: "Deployment", Value: v}); n != nil {
		t.Errorf("a kind that is not known: %v", n)
	}
}
