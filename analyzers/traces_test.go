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
			got[name] = append(got[name], fmt.Sprintf("name %s %v :%d", n.Value, n.Agent, n.Pos.Line))
		}
		for _, u := range trace.Uses {
			got[name] = append(got[name], fmt.Sprintf("use %s %s %s %v %v :%d", u.GroupVersion, u.Kind, u.Resource, u.Decides, u.Calls, u.Pos.Line))
		}
		for _, w := range trace.Writes {
			got[name] = append(got[name], fmt.Sprintf("%s %s %s %s :%d", w.Verb, w.Version, w.Kind, w.Manager, w.Pos.Line))
		}
		if name == "example.org/clients/traces" && !slices.Contains(trace.Imports, "example.org/clients/traces/lib") {
			t.Errorf("%s imports %q", name, trace.Imports)
		}
	}
	want := map[string][]string{
		"example.org/clients/traces": {
			"main main.go:16",
			"name traces-main true :17",
			"name traces-other true :18",
		},
		"example.org/clients/traces/lib": {
			"name traces-lib false :14",
			"name traces-lib false :18",
			"name traces-runtime false :24",
			"use policy/v1beta1 PodDisruptionBudget poddisruptionbudgets true true :19",
			"create v1 ConfigMap traces-lib :18",
			"update v1 Secret traces-runtime :24",
		},
	}
	for name := range want {
		if !slices.Equal(got[name], want[name]) {
			t.Errorf("%s: %q, want %q", name, got[name], want[name])
		}
	}
}
