package analyzers_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func TestTraces(t *testing.T) {
	got := map[string][]string{}
	for _, r := range analyzertest.Run(t, analyzers.Traces, "./traces/...") {
		trace := r.Result.(*analyzers.Trace)
		name := trace.Package
		if trace.Module != "example.org/clients" {
			t.Errorf("%s: module %q", name, trace.Module)
		}
		if trace.Main {
			got[name] = append(got[name], fmt.Sprintf("main %s:%d", filepath.Base(trace.MainPos.Filename), trace.MainPos.Line))
		}
		for _, n := range trace.Names {
			if n.Program {
				got[name] = append(got[name], fmt.Sprintf("program %s :%d", n.Value, n.Pos.Line))
				continue
			}
			got[name] = append(got[name], fmt.Sprintf("name %s %v :%d", n.Value, n.Agent, n.Pos.Line))
		}
		for _, u := range trace.Uses {
			got[name] = append(got[name], fmt.Sprintf("use %s %s %s %v %v :%d", u.GroupVersion, u.Kind, u.Resource, u.Decides, u.Calls, u.Pos.Line))
		}
		for _, w := range trace.Writes {
			got[name] = append(got[name], fmt.Sprintf("%s %s %s %s :%d", w.Verb, w.Version, w.Kind, w.Manager, w.Pos.Line))
		}
		for _, p := range trace.Places {
			got[name] = append(got[name], fmt.Sprintf("place %q %s/%s %s%s :%d", p.Verb, p.Group, p.Version, p.Kind, p.Resource, p.Pos.Line))
		}
		if name == "example.org/clients/traces" && !slices.Contains(trace.Imports, "example.org/clients/traces/lib") {
			t.Errorf("%s imports %q", name, trace.Imports)
		}
	}
	want := map[string][]string{
		"example.org/clients/traces": {
			"main main.go:28",
			"name traces-product true :25",
			"name traces-main true :29",
			"name traces-other true :30",
			"name traces-variable true :32",
			"name traces-tool true :33",
			"program traces-server :35",
		},
		"example.org/clients/traces/lib": {
			"name traces-lib false :14",
			"name traces-lib false :18",
			"name traces-runtime false :24",
			"use policy/v1beta1 PodDisruptionBudget poddisruptionbudgets true true :19",
			"create v1 ConfigMap traces-lib :18",
			"update v1 Secret traces-runtime :24",
			`place "list" policy/v1beta1 PodDisruptionBudget :19`,
		},
		"example.org/clients/traces/crd": {
			"delete v1beta1 Widget  :28",
			"delete    :43",
			"create v1alpha2 Disc  :57",
			`place "" shop.example.com/v1alpha1 gadgets :20`,
			`place "get" shop.example.com/v1beta1 Widget :25`,
			`place "list" shop.example.com/v1beta1 Widget :27`,
			`place "" shop.example.com/v1 Gizmo :30`,
			`place "get" shop.example.com/v1 Gizmo :31`,
			`place "" shop.example.com/v1 Gear :33`,
			`place "informer" shop.example.com/v1beta1 Widget :35`,
			`place "list" shop.example.com/v1alpha1 gadgets :40`,
			`place "get" shop.example.com/v1beta1 widgets :42`,
			`place "delete" shop.example.com/v1beta1 widgets :43`,
			`place "" shop.example.com/v1alpha1 cogs :49`,
			`place "informer" shop.example.com/v1beta1 Widget :50`,
			`place "" shop.example.com/v1 Lever :51`,
			`place "get" flat.example.com/v1alpha2 Disc :56`,
		},
	}
	for name := range want {
		if !slices.Equal(got[name], want[name]) {
			t.Errorf("%s: %q, want %q", name, got[name], want[name])
		}
	}
}
