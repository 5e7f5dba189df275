package policy

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// FuzzPolicies uses random objects as policies and evaluates them for a random
// object. Two evaluations must agree, and every finding must point into the
// object.
func FuzzPolicies(f *testing.F) {
	for _, text := range []string{
		limit("object.spec.replicas < 5", "Deny", "  paramKind: {apiVersion: v1, kind: ConfigMap}"),
		limit("object.metadata == oldObject.metadata", "Warn, Audit", "  variables: [{name: a, expression: object.spec}, {name: b, expression: variables.a.replicas}]\n  auditAnnotations: [{key: a, valueExpression: variables.b}]"),
		mutatingObjects("p", "v1", applyLabel) + "\n---\n" + mutatingObjects("q", "v1", patchReplicas),
	} {
		var objects []any
		for _, v := range values(f, text) {
			data, err := native(v)
			if err != nil {
				f.Fatal(err)
			}
			objects = append(objects, data)
		}
		data, err := json.Marshal(objects)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","uid":"x","labels":{"a":"b"}},"spec":{"replicas":7}}`), uint8(37), true)
		f.Add(data, []byte(`{"apiVersion":"example.com/v1","kind":"Widget","metadata":null,"spec":[]}`), uint8(33), false)
	}
	f.Fuzz(func(t *testing.T, policies, object []byte, minor uint8, update bool) {
		list, err := wire.JSON(policies)
		if err != nil {
			return
		}
		obj, err := wire.JSON(object)
		if err != nil || obj.Kind != wire.Map {
			return
		}
		s := apiserver.Server{Minor: lifecycle.Oldest + lifecycle.Minor(minor)%(lifecycle.Newest-lifecycle.Oldest+1)}
		a, ok := anyAttributes(obj, update)
		if !ok {
			return
		}
		evaluate := func() (Mutation, Verdict) {
			c := NewCluster(s, Options{Serves: func(lifecycle.API) bool { return true }, Complete: minor >= 128}, list.Elements())
			own := a
			m := c.Mutate(own)
			own.Object, own.Request.New = m.Object, m.Value
			return m, c.Validate(own)
		}
		m, v := evaluate()
		m2, v2 := evaluate()
		if !reflect.DeepEqual(m.Changes, m2.Changes) || !reflect.DeepEqual(m.Unknown, m2.Unknown) || m.Status != m2.Status {
			t.Errorf("%+v, then %+v", m, m2)
		}
		if v.Status != v2.Status || !reflect.DeepEqual(v.Unknown, v2.Unknown) || len(v.Failures) != len(v2.Failures) {
			t.Errorf("%+v, then %+v", v, v2)
		}
		for _, failure := range v.Failures {
			if failure.At == nil || failure.Code < 400 || failure.Text == "" {
				t.Errorf("%+v", failure)
			}
		}
	})
}

// anyAttributes returns a request for an object of any kind. It returns false if
// the object does not decode.
func anyAttributes(obj *wire.Value, update bool) (Attributes, bool) {
	a := Attributes{
		Request:    apiserver.Request{APIVersion: obj.Get("apiVersion").StringOr(""), Kind: obj.Get("kind").StringOr(""), New: obj},
		Unknowable: []string{"metadata.uid", "spec.containers[*].image"},
	}
	u, ok := unstructuredOf(obj)
	kind := schema.FromAPIVersionAndKind(a.Request.APIVersion, a.Request.Kind)
	if !ok || kind.Empty() || strings.HasSuffix(kind.Kind, "List") {
		return a, false
	}
	a.Object = u
	if typed, err := scheme.Scheme.New(kind); err == nil {
		if !decodeInto(obj, typed) {
			return a, false
		}
		typed.GetObjectKind().SetGroupVersionKind(kind)
		a.Object = typed
	}
	if update {
		a.Old, a.Request.Old = a.Object.DeepCopyObject(), obj
	}
	return a, true
}
