package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/manifests"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

const stream = `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {k: v}
---
apiVersion: v1
kind: List
items:
- {apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: p}, spec: {}}
- {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {clusterIP: None, loadBalancerIP: 1.2.3.4, ports: [{port: 80}]}}
---
not: an object
`

// TestAdd compares equal and different pairs of answers to objects.
func TestAdd(t *testing.T) {
	s := &manifests.Stream{Name: "a.yaml", Data: []byte(stream)}
	objects, unread, err := s.Objects()
	if err != nil || len(objects) != 3 || unread != 1 {
		t.Fatalf("%d objects, %d unread: %v", len(objects), unread, err)
	}
	target, err := lifecycle.NewTarget("1.37", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	said, err := vet(t.Context(), target, apiserver.Warn, []*manifests.Stream{s}, nil, func(*manifests.Stream, manifests.Key) json.RawMessage { return nil })
	if err != nil {
		t.Fatal(err)
	}
	const warning = `299 - "spec.loadBalancerIP is ignored for headless services"`
	created := oracle.Answer{Code: http.StatusCreated}
	for _, tt := range []struct {
		name   string
		object int
		served bool
		answer oracle.Answer
		want   difference
	}{
		{"created", 0, true, created, 0},
		{"refused", 0, true, oracle.Answer{Code: 422, Causes: []oracle.Cause{{Field: "data", Message: "no"}}}, differentRefused | differentCauses},
		{"a warning", 0, true, oracle.Answer{Code: 201, Warnings: []string{`299 - "text"`}}, differentWarnings},
		{"not served", 1, false, oracle.Answer{Code: 404}, 0},
		{"served after all", 1, true, created, differentServed},
		{"warned", 2, true, oracle.Answer{Code: 201, Warnings: []string{warning}}, 0},
		{"not warned", 2, true, created, differentWarnings},
		{"the cluster's addresses", 2, true, oracle.Answer{
			Code: 422, Message: `Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.1.1.1"]: failed to allocate IP 10.1.1.1: the provided IP is not in the valid range`,
		}, differentRefused | differentWarnings | differentCauses | dependsOnCluster},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := &object{Object: objects[tt.object], served: tt.served, answer: tt.answer}
			v, ok := said[s][o.Key()]
			if !ok {
				t.Fatal("kubevet did not judge it")
			}
			var r result
			if r.add(o, v, ok); o.difference != tt.want {
				t.Errorf("%q, not %q", o.difference, tt.want)
			}
		})
	}
	var r result
	if o := (&object{Object: objects[0]}); true {
		if r.add(o, verdict{}, false); o.difference != notFound {
			t.Errorf("%q of an object that kubevet did not judge", o.difference)
		}
	}
}
