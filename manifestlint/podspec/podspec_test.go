package podspec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func parse(t testing.TB, text string) *wire.Value {
	t.Helper()
	v, err := wire.JSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const spec = `{"containers":[{"name":"c","image":"i"}]}`

func TestBuiltIn(t *testing.T) {
	inTemplate := `{"spec":{"template":{"spec":` + spec + `}}}`
	inJob := `{"spec":{"jobTemplate":{"spec":{"template":{"spec":` + spec + `}}}}}`
	tests := []struct{ apiVersion, kind, text, want string }{
		{"v1", "Pod", `{"spec":` + spec + `}`, "spec"},
		{"v1", "PodTemplate", `{"template":{"spec":` + spec + `}}`, "template.spec"},
		{"v1", "ReplicationController", inTemplate, "spec.template.spec"},
		{"apps/v1", "Deployment", inTemplate, "spec.template.spec"},
		{"apps/v1", "StatefulSet", inTemplate, "spec.template.spec"},
		{"apps/v1beta1", "StatefulSet", inTemplate, "spec.template.spec"},
		{"apps/v1beta2", "DaemonSet", inTemplate, "spec.template.spec"},
		{"extensions/v1beta1", "ReplicaSet", inTemplate, "spec.template.spec"},
		{"batch/v1", "Job", inTemplate, "spec.template.spec"},
		{"batch/v1", "CronJob", inJob, "spec.jobTemplate.spec.template.spec"},
		{"batch/v1beta1", "CronJob", inJob, "spec.jobTemplate.spec.template.spec"},
		{"batch/v2alpha1", "CronJob", inJob, "spec.jobTemplate.spec.template.spec"},
		{"apps/v1", "Deployment", `{"spec":{"template":null}}`, ""},
		{"apps/v1", "Deployment", `{"spec":"x"}`, ""},
		{"v1", "ConfigMap", `{"data":{"containers":"x"}}`, ""},
		{"v1", "List", `{"items":[` + inTemplate + `]}`, ""},
		{"apps/v1", "Rollout", inTemplate, ""},
		{"", "Deployment", inTemplate, ""},
	}
	for _, tt := range tests {
		got := ""
		for _, s := range Of(tt.apiVersion, tt.kind, parse(t, tt.text)) {
			got += s.Path
			if !s.BuiltIn || s.Pod != (tt.kind == "Pod") {
				t.Errorf("%s %s: %+v", tt.apiVersion, tt.kind, s)
			}
		}
		if got != tt.want {
			t.Errorf("%s %s %s: pod spec at %q, want %q", tt.apiVersion, tt.kind, tt.text, got, tt.want)
		}
	}
}

// TestByShape checks values that look like pod specs, and similar values that
// are not pod specs.
func TestByShape(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"Argo Rollout", `{"spec":{"replicas":1,"template":{"metadata":{},"spec":` + spec + `}}}`, "spec.template.spec"},
		{"Argo Experiment", `{"spec":{"templates":[{"template":{"spec":` + spec + `}},{"template":{"spec":` + spec + `}}]}}`, "spec.templates[0].template.spec spec.templates[1].template.spec"},
		{"Knative Service", `{"spec":{"template":{"spec":{"containerConcurrency":1,"timeoutSeconds":5,"containers":[{"image":"i"}]}}}}`, "spec.template.spec"},
		{"KEDA ScaledJob", `{"spec":{"jobTargetRef":{"template":{"spec":` + spec + `}}}}`, "spec.jobTargetRef.template.spec"},
		{"OpenShift DeploymentConfig", `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":30,"containers":[{"name":"c","image":"i"}]}}}}`, "spec.template.spec"},
		{"an operator's podTemplate without images", `{"spec":{"nodeSets":[{"podTemplate":{"spec":{"containers":[{"name":"db","lifecycle":{}}]}}}]}}`, "spec.nodeSets[0].podTemplate.spec"},
		{"a podSpec of its own", `{"spec":{"podSpec":{"containers":[{"name":"db"}]}}}`, "spec.podSpec"},
		{"names in brackets", `{"spec":{"pools":{"a.b":{"template":{"spec":` + spec + `}}}}}`, "spec.pools[a.b].template.spec"},
		{"within a list of lists", `{"spec":{"x":[[{"template":{"spec":` + spec + `}}]]}}`, "spec.x[0][0].template.spec"},

		{"Prometheus patches its pods", `{"spec":{"replicas":2,"image":"p","containers":[{"name":"prometheus","lifecycle":{}}]}}`, ""},
		{"containers of another sort", `{"spec":{"containers":[{"name":"blob","image":"i","beeRef":{}}]}}`, ""},
		{"containers beside other fields", `{"spec":{"runLatest":{},"containers":[{"name":"c","image":"i"}]}}`, ""},
		{"Tekton steps", `{"spec":{"steps":[{"name":"a","image":"i"}]}}`, ""},
		{"storage containers", `{"spec":{"storage":{"containers":[{"name":"logs"},{"name":"blobs"}]}}}`, ""},
		{"names only", `{"spec":{"template":{"spec":{"containers":["a","b"]}}}}`, ""},
		{"no containers", `{"spec":{"template":{"spec":{"containers":[]}}}}`, ""},
		{"nameless maps", `{"spec":{"template":{"spec":{"containers":[{}]}}}}`, ""},
		{"a schema", `{"spec":{"properties":{"containers":{"type":"array"}}}}`, ""},
		{"a status", `{"status":{"template":{"spec":` + spec + `}}}`, ""},
		{"the object itself", spec, ""},
		{"nothing", `null`, ""},
	}
	for _, tt := range tests {
		var got []string
		for _, s := range Of("example.com/v1", "Custom", parse(t, tt.text)) {
			got = append(got, s.Path)
			if s.BuiltIn || s.Pod {
				t.Errorf("%s: %+v calls itself built in", tt.name, s)
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: pod specs at %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestContainers(t *testing.T) {
	s := Spec{Path: "spec", Value: parse(t, `{
		"initContainers":[{"name":"a"},{"name":"b","restartPolicy":"Always"}],
		"containers":[{"name":"c"},5,null,{"name":"d"}],
		"ephemeralContainers":"x"}`)}
	var got []string
	for c := range s.Containers() {
		got = append(got, fmt.Sprintf("%s %s %d %s %t", c.Path, c.List, c.Index, c.Value.Get("name").Text, c.Sidecar))
	}
	want := []string{
		"spec.containers[0] containers 0 c false",
		"spec.containers[3] containers 3 d false",
		"spec.initContainers[0] initContainers 0 a false",
		"spec.initContainers[1] initContainers 1 b true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("containers (-want +got):\n%s", diff)
	}
	for range s.Containers() {
		break // the iterator must stop
	}
}

func TestGracePeriod(t *testing.T) {
	tests := []struct {
		text    string
		pod     bool
		seconds int64
		ok, set bool
	}{
		{`{}`, true, 30, true, false},
		{`{"terminationGracePeriodSeconds":null}`, false, 30, true, false},
		{`{"terminationGracePeriodSeconds":0}`, false, 0, true, true},
		{`{"terminationGracePeriodSeconds":-5}`, false, -5, true, true},
		{`{"terminationGracePeriodSeconds":-5}`, true, 1, true, true},
		{`{"terminationGracePeriodSeconds":"30"}`, false, 0, false, true},
		{`{"terminationGracePeriodSeconds":30.0}`, false, 0, false, true},
		{`{"terminationGracePeriodSeconds":9223372036854775808}`, false, 0, false, true},
	}
	for _, tt := range tests {
		n, at, ok := Spec{Value: parse(t, tt.text), Pod: tt.pod}.GracePeriod()
		if n != tt.seconds || ok != tt.ok || (at != nil) != tt.set {
			t.Errorf("%s (pod %t): %d, %v, %t", tt.text, tt.pod, n, at, ok)
		}
	}
}

// TestBounds checks that the search ends in deep objects and in large objects.
func TestBounds(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 5000) + `{"template":{"spec":` + spec + `}}` + strings.Repeat("}", 5000)
	if got := Of("example.com/v1", "Custom", parse(t, deep)); len(got) != 0 {
		t.Errorf("found %v at depth 5000", got)
	}
	wide := `{"spec":[` + strings.Repeat(`{},`, 2*maxValues) + `{"template":{"spec":` + spec + `}}]}`
	if got := Of("example.com/v1", "Custom", parse(t, wide)); len(got) != 0 {
		t.Errorf("found %v after %d values", got, 2*maxValues)
	}
}

func FuzzOf(f *testing.F) {
	f.Add("apps/v1", "Deployment", `{"spec":{"template":{"spec":`+spec+`}}}`)
	f.Add("example.com/v1", "Custom", `{"spec":{"template":{"spec":`+spec+`}}}`)
	f.Add("v1", "Pod", `{"spec":{"containers":[null,[],{"lifecycle":1}]}}`)
	f.Fuzz(func(t *testing.T, apiVersion, kind, text string) {
		v, err := wire.JSON([]byte(text))
		if err != nil {
			return
		}
		for _, s := range Of(apiVersion, kind, v) {
			if s.Path == "" || s.Value == nil || s.Value.Kind != wire.Map {
				t.Fatalf("%s: %+v is no pod spec", text, s)
			}
			s.GracePeriod()
			for c := range s.Containers() {
				if c.Value.Kind != wire.Map || !strings.HasPrefix(c.Path, s.Path+".") {
					t.Fatalf("%s: %+v", text, c)
				}
			}
		}
	})
}
