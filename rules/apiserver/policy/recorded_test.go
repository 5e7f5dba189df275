package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/internal/scene"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestRecorded compares the verdicts with the answers of servers.
func TestRecorded(t *testing.T) {
	const dir = "testdata/oracle"
	if _, err := os.Stat(filepath.Join(dir, "scenes.jsonl.gz")); err != nil {
		t.Skip(err)
	}
	equal, unknown := 0, 0
	scene.Load(t, dir).Each(t, func(t *testing.T, server string, s *scene.Scene, answers scene.Answers) {
		c := clusterOf(t, server, s, answers)
		for i := range s.Requests {
			r, want := &s.Requests[i], &answers.Requests[i]
			policies := policyLines(want, r.Unordered)
			if r.Op == scene.Apply || want.Code >= 400 && len(policies) == 0 {
				continue // the server refuses it before policies are asked
			}
			a := requestOf(t, r)
			setDefaults(c, a.Object)
			setDefaults(c, a.Old)
			m := c.Mutate(a)
			a.Object = m.Object
			verdict := c.Validate(a)
			if len(m.Unknown)+len(verdict.Unknown) > 0 {
				unknown++
				t.Logf("%s/%s: %+v", s.ID, r.ID, append(m.Unknown, verdict.Unknown...))
				continue
			}
			if diff := cmp.Diff(policies, verdictLines(&m, &verdict, r.Unordered)); diff != "" {
				t.Errorf("%s/%s: -server +verdict\n%s", s.ID, r.ID, diff)
			} else {
				equal++
			}
		}
	})
	t.Logf("%d equal, %d unknown", equal, unknown)
}

func clusterOf(t *testing.T, server string, s *scene.Scene, answers scene.Answers) *Cluster {
	version, gates, _ := strings.Cut(server, "-")
	minor, err := lifecycle.ParseMinor(version)
	if err != nil {
		t.Fatal(err)
	}
	kube := apiserver.Server{Minor: minor}
	if gates == "mutating" {
		kube.Gate = func(name string) bool {
			return name == "MutatingAdmissionPolicy" || lifecycle.Target{}.GateEnabled(name, minor)
		}
	}
	var objects []*wire.Value
	for _, obj := range s.Objects(answers) {
		v, err := wire.JSON(obj)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, v)
	}
	all := func(api lifecycle.API) bool { return api.Servable().Has(minor) }
	return NewCluster(kube, Options{Serves: all, Complete: true}, objects)
}

func requestOf(t *testing.T, r *scene.Request) Attributes {
	t.Helper()
	obj, err := wire.JSON(r.Obj)
	if err != nil {
		t.Fatal(err)
	}
	var old *wire.Value
	if r.Old != nil {
		if old, err = wire.JSON(r.Old); err != nil {
			t.Fatal(err)
		}
	}
	a := attributes(t, obj, old)
	a.FieldManager, a.Unknowable = "oracle", []string{"metadata.uid", "metadata.creationTimestamp", "metadata.resourceVersion"}
	if r.User != "" {
		a.User = &User{Name: r.User, Groups: append(slices.Clone(r.Groups), "system:authenticated")}
	}
	return a
}

// setDefaults sets the defaults that the scenes read.
func setDefaults(c *Cluster, obj runtime.Object) {
	switch obj := obj.(type) {
	case *appsv1.Deployment:
		if obj.Spec.Replicas == nil {
			obj.Spec.Replicas = new(int32)
			*obj.Spec.Replicas = 1
		}
	case *corev1.Secret:
		if obj.Type == "" {
			obj.Type = corev1.SecretTypeOpaque
		}
	case *unstructured.Unstructured:
		kind := obj.GroupVersionKind()
		if s := structuralSchema(c.definitions[kind.GroupKind()], kind.Version); s != nil {
			defaulting.Default(obj.Object, s)
		}
	}
}

// policyLines returns what policies contribute to an answer.
func policyLines(a *scene.Answer, unordered bool) []string {
	var all []string
	for _, w := range a.WarningTexts() {
		if strings.HasPrefix(w, "Validation failed for ValidatingAdmissionPolicy") {
			all = append(all, w)
		}
	}
	if strings.Contains(a.Message, "denied request: ") || a.Code == 500 {
		all = append(all, a.Reason+" "+a.Message)
	}
	if unordered {
		slices.Sort(all)
	}
	return all
}

func verdictLines(m *Mutation, v *Verdict, unordered bool) []string {
	var all []string
	if len(m.Causes) > 0 {
		return []string{m.Reason + " " + m.Status}
	}
	var warnings []apiserver.Warning
	for _, w := range v.Warnings {
		warnings = append(warnings, w)
	}
	for _, w := range apiserver.Headers(warnings) {
		all = append(all, w.Text)
	}
	if len(v.Causes) > 0 {
		all = append(all, v.Reason+" "+v.Status)
	}
	if unordered {
		slices.Sort(all)
	}
	return all
}
