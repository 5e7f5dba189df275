package auditreport

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/codetrace"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// codeSample returns a report about two clients and the Go module of a field manager. The
// clients fight with this field manager. One of them also uses a deprecated API.
func codeSample(t *testing.T, name string) *Document {
	t.Helper()
	var log bytes.Buffer
	e := json.NewEncoder(&log)
	put := func(i int, user, uri, verb string, ref, more map[string]any) {
		event := map[string]any{
			"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "RequestResponse", "auditID": fmt.Sprint(i), "stage": "ResponseComplete",
			"requestURI": uri, "verb": verb, "user": map[string]any{"username": user}, "userAgent": name + "/v1", "objectRef": ref,
			"responseStatus": map[string]any{"code": 200}, "stageTimestamp": fmt.Sprintf("2026-11-21T10:01:%02dZ", i),
		}
		for k, v := range more {
			event[k] = v
		}
		if err := e.Encode(event); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 8 {
		user := []string{"one", "two"}[i%2]
		put(i, user, "/apis/apps/v1/x?fieldManager=sign", "update", map[string]any{"apiGroup": "apps", "apiVersion": "v1", "resource": "deployments", "name": "web", "namespace": "shop"}, map[string]any{
			"requestObject":  map[string]any{"spec": map[string]any{"replicas": i % 2}},
			"responseObject": map[string]any{"metadata": map[string]any{"resourceVersion": fmt.Sprint(i + 1)}, "spec": map[string]any{"replicas": i % 2}},
		})
	}
	put(9, "one", "/apis/policy/v1beta1/poddisruptionbudgets", "list", map[string]any{"apiGroup": "policy", "apiVersion": "v1beta1", "resource": "poddisruptionbudgets"}, nil)
	put(10, "stranger", "/apis/policy/v1beta1/poddisruptionbudgets", "list", map[string]any{"apiGroup": "policy", "apiVersion": "v1beta1", "resource": "poddisruptionbudgets"}, map[string]any{"userAgent": "stranger" + name})
	target, err := lifecycle.NewTarget("1.24", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := []auditlog.Input{{Name: "audit.log", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(log.Bytes())), nil }}}
	counted, fights := tally.New(tally.Config{Target: target}), contention.New(contention.Config{})
	sum, err := auditlog.Read(context.Background(), slices.Values(in), auditlog.Options{}, counted.Worker, counted.Add)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := auditlog.Read(context.Background(), slices.Values(in), auditlog.Options{}, fights.Worker, fights.Add); err != nil {
		t.Fatal(err)
	}
	found := fights.Report(contention.Thresholds{})
	at := func(line int) token.Position {
		return token.Position{Filename: name + ".go", Line: line, Column: 2}
	}
	module := codetrace.Module{Path: "example.com/" + name, Dir: name, Traces: []*analyzers.Trace{{
		Module: "example.com/" + name, Package: "example.com/" + name,
		Names:  []analyzers.TracedName{{Value: "sign", Pos: at(3)}},
		Writes: []analyzers.TracedWrite{{Group: "apps", Version: "v1", Kind: "Deployment", Verb: "update", Manager: "sign", Pos: at(5)}},
		Uses:   []analyzers.TracedUse{{GroupVersion: "policy/v1beta1", Kind: "PodDisruptionBudget", Resource: "poddisruptionbudgets", Decides: true, Pos: at(7)}},
	}}}
	return New(counted.Report(), &sum, Options{
		Contention: &found, Code: codetrace.New([]codetrace.Module{module}), CodeModules: []CodeModule{{Module: module.Path, Directory: name, Packages: 1}},
	})
}

func TestCode(t *testing.T) {
	d := codeSample(t, "shop")
	var got []string
	for _, o := range d.Code.Origins {
		for _, p := range o.Places {
			got = append(got, fmt.Sprintf("%s %s %s %s %s:%d", o.Rule, o.User, o.Confidence, o.Name, p.File, p.Line))
		}
	}
	want := []string{
		"deprecatedapi one constant sign shop.go:7",
		"fieldfight one constant sign shop.go:5",
		"fieldfight two constant sign shop.go:5",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(d.Code.Unknown) != 1 || d.Code.Unknown[0].User != "stranger" {
		t.Errorf("%+v", d.Code.Unknown)
	}
	// Each finding must have the places of its own clients.
	lines := map[string][]int{}
	for _, f := range d.Findings {
		f.Related = slices.DeleteFunc(slices.Clone(f.Related), func(r rules.Related) bool { return !strings.HasSuffix(r.File, ".go") })
		for _, r := range f.Related {
			lines[f.Rule] = append(lines[f.Rule], r.Line)
		}
		if strings.Contains(f.Message, "stranger") && len(f.Related) > 0 {
			t.Errorf("the finding of somebody else has %+v", f.Related)
		}
	}
	if fmt.Sprint(lines) != "map[deprecatedapi:[7] fieldfight:[5]]" {
		t.Errorf("%v", lines)
	}
}

// TestCodeHostile checks that no format interprets names from code and logs as markup.
func TestCodeHostile(t *testing.T) {
	for _, name := range hostileNames {
		if strings.ContainsAny(name, "/ ") || name == "" || strings.Contains(name, "\xff") {
			continue
		}
		d := codeSample(t, name)
		if len(d.Code.Origins) == 0 {
			t.Fatalf("%q: nothing is found", name)
		}
		for _, format := range []string{"table", "markdown", "json", "jsonl", "text"} {
			out := render(t, d, format)
			for i, b := range out {
				if b < 0x20 && b != '\n' || b == 0x7f {
					t.Errorf("%s: control character %#x at %q", format, b, out[max(0, i-20):min(len(out), i+20)])
					break
				}
			}
			switch format {
			case "json":
				validate(t, out)
			case "markdown":
				if bytes.Contains(out, []byte("<script")) {
					t.Errorf("%s: markup", format)
				}
			}
		}
	}
}
