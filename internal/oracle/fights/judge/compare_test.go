package main

import (
	"testing"

	"github.com/kubevet/kubevet/internal/oracle/fights/ledger"
)

func TestCompare(t *testing.T) {
	thing := func(name string) []ledger.Object {
		return []ledger.Object{{Resource: "configmaps", Namespace: "n", Name: name}}
	}
	entries := []ledger.Entry{
		{Scene: "found", Kind: ledger.Fight, Objects: thing("found"), Fields: []string{`data["a.b"]`}, Writers: []ledger.Writer{{User: "x"}, {User: "hook", Webhook: true}}, Winner: "x"},
		{Scene: "missed", Kind: ledger.Fight, Debatable: true, Objects: thing("missed")},
		{Scene: "alike", Kind: ledger.Lookalike, Objects: thing("alike")},
		{Scene: "toggles", Kind: ledger.Lookalike, Toggles: true, Objects: thing("toggles")},
		{Scene: "flap", Kind: ledger.Flap, Objects: thing("flap")},
		{Scene: "status", Kind: ledger.Fight, Objects: thing("status"), Fields: []string{"status.conditions"}},
		{Scene: "missed status", Kind: ledger.Fight, Objects: thing("missed-status"), Fields: []string{"status"}},
	}
	const report = `{"fights":[
		{"rule":"fieldfight","object":{"resource":"configmaps","namespace":"n","name":"found"},"winner":0,"fields":[{"path":"data.a.b"}],"writers":[{"user":"x"},{"user":"configuration","agent":"hook","kind":"webhook"}]},
		{"rule":"fieldfight","object":{"resource":"configmaps","namespace":"n","name":"alike"}},
		{"rule":"fieldfight","object":{"resource":"configmaps","namespace":"n","name":"other"}},
		{"rule":"selfflap","object":{"resource":"configmaps","namespace":"n","name":"toggles"}},
		{"rule":"selfflap","object":{"resource":"configmaps","namespace":"n","name":"missed"}},
		{"rule":"selfflap","object":{"resource":"configmaps","namespace":"n","name":"flap"}}]}`
	const statuses = `{"fights":[
		{"rule":"fieldfight","object":{"resource":"configmaps/status","namespace":"n","name":"status"}},
		{"rule":"fieldfight","object":{"resource":"configmaps/status","namespace":"n","name":"alike"}}]}`
	v, err := compare(entries, []byte(report), []byte(statuses))
	if err != nil {
		t.Fatal(err)
	}
	got := [...]int{v.fights, v.found, v.reported, v.falseFights, v.flaps, v.foundFlaps, v.falseFlaps, v.parties, v.winners, v.namedFields, v.fields, v.debatableFights, v.debatableFound, v.statuses, v.foundStatuses, v.falseStatuses}
	want := [...]int{2, 1, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1, 1}
	if got != want {
		t.Errorf("got %v, want %v\n%q", got, want, v.notes)
	}
}

func TestRelated(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`data["a.b"]`, "data.a.b", true},
		{"webhooks.0.clientConfig.caBundle", "webhooks[name=x.example.com].clientConfig.caBundle", true},
		{"status.conditions", "status.conditions[type=Ready].status", true},
		{"spec.replicas", "spec.replicasMax", false},
		{"data.b", "data.a", false},
	} {
		if got := related(test.a, test.b); got != test.want {
			t.Errorf("related(%q, %q) = %v", test.a, test.b, got)
		}
	}
}
