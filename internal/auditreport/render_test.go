package auditreport

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// hostileNames has hostile strings that clients may choose.
var hostileNames = []string{
	"\x1b[31mred", "=cmd|'/c calc'!A0", "+1", "-2", "@x", "<script>alert(1)</script>", "a|b", "`c`", "[x](http://evil.example)", "www.evil.example",
	"line\nbreak", "tab\there", "\u202eright to left", "\xff\xfe", "::error::ci", "&lt;", `quote"back\slash`, strings.Repeat("long", 2000), "",
}

// sample returns the document for a log with these names of users, agents and objects.
func sample(t testing.TB, names []string) *Document {
	t.Helper()
	return sampleOf(t, names, Options{GroupBy: tally.Dimensions(), Metrics: []tally.MetricRow{}})
}

// sampleOf is like sample, with other options.
func sampleOf(t testing.TB, names []string, o Options) *Document {
	t.Helper()
	var log bytes.Buffer
	e := json.NewEncoder(&log)
	event := func(i int, name string, more map[string]any) {
		ev := map[string]any{
			"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "RequestResponse", "auditID": fmt.Sprint(i), "stage": "ResponseComplete",
			"requestURI": "/apis/policy/v1beta1/podsecuritypolicies", "verb": "list",
			"user": map[string]any{"username": name, "groups": []string{name}}, "sourceIPs": []string{name}, "userAgent": name,
			"objectRef":          map[string]any{"apiGroup": "policy", "apiVersion": "v1beta1", "resource": "podsecuritypolicies", "name": name, "namespace": name},
			"responseStatus":     map[string]any{"code": 200},
			"stageTimestamp":     "2026-11-21T10:00:00Z",
			"annotations":        map[string]string{"k8s.io/deprecated": "true", "k8s.io/removed-release": "1.25"},
			"impersonatedUser":   nil,
			"requestObject":      nil,
			"authenticationMode": nil,
		}
		for k, v := range more {
			ev[k] = v
		}
		if err := e.Encode(ev); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range names {
		event(4*i, name, nil)
		cm := map[string]any{"apiVersion": "v1", "resource": "configmaps", "name": name, "namespace": name}
		event(4*i+1, name, map[string]any{"verb": "update", "requestURI": "/api/v1/x", "objectRef": cm, "annotations": nil})
		event(4*i+2, name, map[string]any{"verb": "patch", "requestURI": "/api/v1/x?force=true&fieldManager=" + fmt.Sprintf("%x", name), "objectRef": cm, "annotations": nil})
		event(4*i+3, name, map[string]any{"verb": "patch", "requestURI": "/api/v1/x?dryRun=All", "objectRef": cm, "annotations": nil,
			"responseStatus": map[string]any{"code": 409, "message": fmt.Sprintf("Apply failed with 1 conflict: conflict with %q: .data", name),
				"details": map[string]any{"causes": []any{map[string]string{"reason": "FieldManagerConflict", "message": fmt.Sprintf("conflict with %q", name), "field": name}}}}})
		// Policies, Pod Security and webhooks deny some of these requests, and would deny
		// others after a change of their configuration.
		encode := func(value any) string {
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		pod := map[string]any{"apiVersion": "v1", "resource": "pods", "name": name, "namespace": name}
		event(200_000+10*i, name, map[string]any{"verb": "create", "requestURI": "/api/v1/x?fieldManager=m", "objectRef": pod, "responseStatus": map[string]any{"code": 201}, "annotations": map[string]string{
			"validation.policy.admission.k8s.io/validation_failure":           encode([]any{map[string]any{"message": name + ": too many replicas", "policy": name, "binding": name, "expressionIndex": 1, "validationActions": []string{"Audit", name}}}),
			"pod-security.kubernetes.io/audit-violations":                     `would violate PodSecurity "restricted:latest": ` + name,
			"pod-security.kubernetes.io/enforce-policy":                       "baseline:" + name,
			"mutation.webhook.admission.k8s.io/round_0_index_0":               encode(map[string]any{"configuration": name, "webhook": name, "mutated": true}),
			"failed-open.validating.webhook.admission.k8s.io/round_0_index_0": name,
		}})
		event(200_000+10*i+1, name, map[string]any{"verb": "create", "requestURI": "/api/v1/x?fieldManager=m", "objectRef": pod, "annotations": nil, "responseStatus": map[string]any{
			"code": 422, "message": fmt.Sprintf("pods %q is forbidden: ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s", name, name, name, name), "details": map[string]any{"causes": []any{map[string]string{"message": fmt.Sprintf("ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s", name, name, name)}}}}})
		if name == "" {
			continue
		}
		// Two writers fight over a field. An apply leaves an old entry in managedFields.
		for j := range 5 {
			user, value := name, name+" mine"
			if j%2 == 1 {
				user, value = "other", name+" theirs"
			}
			event(100_000+10*i+j, user, map[string]any{
				"verb": "patch", "requestURI": "/api/v1/x?fieldManager=m", "annotations": nil,
				"stageTimestamp": fmt.Sprintf("2026-11-21T10:01:%02dZ", j),
				"objectRef":      map[string]any{"apiVersion": "v1", "resource": "configmaps", "name": "fought" + name, "namespace": name},
				"requestObject":  map[string]any{"data": map[string]any{"k" + name: value}},
				"responseObject": map[string]any{"metadata": map[string]any{"resourceVersion": fmt.Sprint(j + 1), "managedFields": []any{
					map[string]any{"manager": "m", "operation": "Update", "fieldsV1": map[string]any{"f:data": map[string]any{"f:k" + name: map[string]any{}}}}}},
					"data": map[string]any{"k" + name: value}},
			})
		}
	}
	target, err := lifecycle.NewTarget("1.25", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	counted := tally.New(tally.Config{Target: target})
	in := []auditlog.Input{{Name: "audit.log", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(log.Bytes())), nil }}}
	sum, err := auditlog.Read(context.Background(), slices.Values(in), auditlog.Options{}, counted.Worker, counted.Add)
	if err != nil || sum.Damaged > 0 {
		t.Fatalf("%v %+v", err, sum)
	}
	fights := contention.New(contention.Config{})
	if _, err := auditlog.Read(context.Background(), slices.Values(in), auditlog.Options{}, fights.Worker, fights.Add); err != nil {
		t.Fatal(err)
	}
	found := fights.Report(contention.Thresholds{})
	o.Contention = &found
	d := New(counted.Report(), &sum, o)
	d.Summary.Seconds = 0
	return d
}

func render(t testing.TB, d *Document, format string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := d.Write(format, &out, Look{Verbose: true}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestHostile checks all formats with texts from hostile clients. No text may move the
// cursor, start a formula or be interpreted as markup.
func TestHostile(t *testing.T) {
	d := sample(t, hostileNames)
	for _, format := range Formats() {
		out := render(t, d, format)
		for i, b := range out {
			if b < 0x20 && b != '\n' && b != '\t' || b == 0x7f {
				t.Errorf("%s: control character %#x at %q", format, b, out[max(0, i-20):min(len(out), i+20)])
				break
			}
		}
		if format != "json" && format != "jsonl" && format != "sarif" && format != "junit" && format != "prometheus" && bytes.ContainsRune(out, '\u202e') {
			t.Errorf("%s: text that is written backwards", format)
		}
	}
	md := string(render(t, d, "markdown"))
	for _, bad := range []string{"<script", "](http", " www.", "http://"} {
		if strings.Contains(md, bad) {
			t.Errorf("markdown holds %q", bad)
		}
	}
	rows, err := csv.NewReader(bytes.NewReader(render(t, d, "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
				t.Errorf("a formula: %q", cell)
			}
		}
	}
	for line := range strings.Lines(string(render(t, d, "prometheus"))) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "kubevet_audit_") {
			t.Errorf("not a sample: %q", line)
		}
	}
	validate(t, render(t, d, "json"))
	for line := range bytes.Lines(render(t, d, "jsonl")) {
		var record map[string]any
		if err := json.Unmarshal(line, &record); err != nil {
			t.Error(err)
		} else if kind, ok := record["kind"].(string); !ok || record[kind] == nil {
			t.Errorf("a record without its part: %s", line)
		}
	}
}

func TestGolden(t *testing.T) {
	d := sample(t, []string{"system:serviceaccount:shop:web", "dev@example.com"})
	for _, format := range []string{"table", "markdown", "html", "csv", "prometheus", "json"} {
		got := webpagetest.Content(render(t, d, format))
		name := filepath.Join("testdata", "sample."+format)
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs; run with -update and look at the difference", name)
		}
	}
}

func TestAdmissionGolden(t *testing.T) {
	d := sampleOf(t, []string{"system:serviceaccount:shop:web", "dev@example.com"}, Options{AdmissionOnly: true})
	for _, format := range Formats() {
		got := webpagetest.Content(render(t, d, format))
		name := filepath.Join("testdata", "admission."+format)
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs; run with -update and look at the difference", name)
		}
	}
	validate(t, render(t, d, "json"))
	if len(d.Findings) == 0 || len(d.Clients) > 0 || len(d.Deprecated.Rows) > 0 || len(d.Fights) > 0 {
		t.Errorf("%d findings, %d clients, %d rows, %d fights", len(d.Findings), len(d.Clients), len(d.Deprecated.Rows), len(d.Fights))
	}
}
