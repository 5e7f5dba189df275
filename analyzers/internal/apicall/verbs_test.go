package apicall

import (
	"go/token"
	"go/types"
	"testing"
)

func TestMainVerb(t *testing.T) {
	pkg := types.NewPackage("example.org/helper", "helper")
	function := func(receiver, name string) *types.Func {
		var recv *types.Var
		if receiver != "" {
			n := types.NewNamed(types.NewTypeName(token.NoPos, pkg, receiver, nil), types.NewStruct(nil, nil), nil)
			recv = types.NewParam(token.NoPos, pkg, "x", types.NewPointer(n))
		}
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(recv, nil, nil, nil, nil, false))
	}
	for _, test := range []struct {
		receiver, name string
		others         []Verb
		want           Verb
	}{
		{"Uninstall", "Run", []Verb{VerbDelete}, VerbDelete},
		{"Uninstall", "Run", nil, VerbPatch},
		{"Install", "Run", []Verb{VerbCreate, VerbDelete}, VerbCreate},
		{"Install", "Uninstall", []Verb{VerbCreate, VerbDelete}, VerbDelete},
		{"", "RemoveFinalizer", nil, VerbPatch},
		{"", "CreateOrUpdateThings", []Verb{VerbCreate}, VerbPatch},
		{"", "Reconcile", []Verb{VerbCreate, VerbDelete}, VerbPatch},
	} {
		fact := &writerFact{Verb: VerbPatch, Verbs: setOf(VerbPatch)}
		for _, v := range test.others {
			fact.Verbs |= setOf(v)
		}
		if got := mainVerb(function(test.receiver, test.name), fact); got != test.want {
			t.Errorf("%s.%s: got %s, want %s", test.receiver, test.name, got, test.want)
		}
	}
}
