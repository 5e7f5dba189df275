package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/scene"
)

// TestScenes checks that the scenes can be read, and that requests with equal names of
// old objects have equal old objects.
func TestScenes(t *testing.T) {
	scenes, err := readScenes("scenes", "scenes")
	if err != nil {
		t.Fatal(err)
	}
	requests := 0
	for _, s := range scenes {
		requests += len(s.Requests)
		old := map[string]string{}
		for _, r := range s.Requests {
			if r.Old == nil {
				continue
			}
			h := head(r.Old)
			key := strings.Join([]string{h.APIVersion, h.Kind, h.Metadata.Namespace, h.Metadata.Name}, " ")
			if other, ok := old[key]; ok && other != string(r.Old) {
				t.Errorf("%s, request %s: its old object differs from that of another request", s.ID, r.ID)
			}
			old[key] = string(r.Old)
		}
	}
	if requests < 400 {
		t.Errorf("%d requests", requests)
	}
}

func TestExpand(t *testing.T) {
	b := bases{
		"a": object{"apiVersion": "v1", "kind": "A", "metadata": object{"name": "a"}, "x": "1"},
		"b": object{"$base": "a", "x": nil, "z": "2"},
	}
	scenes, err := b.expand(document{
		ID:       "s",
		Mutating: true,
		Policies: []policy{{Name: "p", Rules: []string{"/v1/as CREATE,UPDATE"}, Apply: []string{"Object{}"}}},
		Requests: []request{{Request: scene.Request{ID: "r"}, Old: object{"$base": "b"}, Obj: object{"z": "3"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(scenes) != 2 || scenes[0].ID != "s/v1alpha1" || scenes[0].Gates != mutating || scenes[1].From != "1.37" {
		t.Fatalf("%+v", scenes)
	}
	for i, version := range []string{"v1alpha1", "v1"} {
		if got := head(scenes[i].Context[0]).APIVersion; got != admission+version {
			t.Errorf("scene %d has policies of %s", i, got)
		}
	}
	r := scenes[0].Requests[0]
	if r.Op != scene.Update {
		t.Errorf("the operation is %q", r.Op)
	}
	for _, c := range []struct {
		got  json.RawMessage
		want string
	}{
		{r.Old, `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"z":"2"}`},
		{r.Obj, `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"z":"3"}`},
		{scenes[1].Context[1], `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicyBinding","metadata":{"name":"p"},"spec":{"policyName":"p"}}`},
	} {
		if string(c.got) != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}

func TestNormalized(t *testing.T) {
	got, err := normalized([]byte(`{"kind":"Job","metadata":{"uid":"1-2","resourceVersion":"7","managedFields":[],"creationTimestamp":"now","labels":{"controller-uid":"1-2"}},"n":12345678901234567890}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"kind":"Job","metadata":{"creationTimestamp":"TIME","labels":{"controller-uid":"UID"},"resourceVersion":"VERSION","uid":"UID"},"n":12345678901234567890}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWithoutRandomName(t *testing.T) {
	a := scene.Answer{Message: `configmaps "c-gfz7z" is forbidden`, Warnings: []string{"c-gfz7z"}}
	body := withoutRandomName(json.RawMessage(`{"metadata":{"generateName":"c-"}}`), &a, []byte(`{"name":"c-gfz7z"}`))
	want := scene.Answer{Message: `configmaps "c-XXXXX" is forbidden`, Warnings: []string{"c-XXXXX"}}
	if !reflect.DeepEqual(a, want) || string(body) != `{"name":"c-XXXXX"}` {
		t.Errorf("got %+v and %s", a, body)
	}
}
