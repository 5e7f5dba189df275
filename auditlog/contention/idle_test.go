package contention_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
)

// TestIdle checks that applies and updates without a change are not counted as
// turns of a fight. The log has no bodies.
func TestIdle(t *testing.T) {
	object := scenario.Target{Version: "v1", Kind: "ConfigMap", Resource: "configmaps", Namespace: "shop", Name: "settings"}
	lease := scenario.Target{Group: "coordination.k8s.io", Version: "v1", Kind: "Lease", Resource: "leases", Namespace: "kube-system", Name: "scheduler"}
	flux := scenario.Client{User: "system:serviceaccount:flux-system:kustomize", Agent: "kustomize-controller/v1.4.0", Manager: "kustomize-controller"}
	operator := scenario.Client{User: "operator", Agent: "operator/v1"}
	scheduler := scenario.Client{User: "system:kube-scheduler", Agent: "kube-scheduler/v1.36.0"}
	data := func(k, v string) scenario.Object { return scenario.Object{"data": scenario.Object{k: v}} }
	set := func(k, v string) func(o scenario.Object) {
		return func(o scenario.Object) { o["data"].(scenario.Object)[k] = v }
	}
	for name, c := range map[string]struct {
		apply  func(i int) scenario.Object
		change func(i int) func(o scenario.Object)
		found  bool // also for different fields, because such a log does not show the fields
	}{
		"the same field":       {func(int) scenario.Object { return data("mode", "a") }, func(int) func(o scenario.Object) { return set("mode", "b") }, true},
		"two fields":           {func(i int) scenario.Object { return data("mode", fmt.Sprint(i)) }, func(i int) func(o scenario.Object) { return set("seen", fmt.Sprint(i)) }, true},
		"nothing":              {func(int) scenario.Object { return data("mode", "a") }, func(int) func(o scenario.Object) { return func(scenario.Object) {} }, false},
		"applies of the same":  {func(int) scenario.Object { return data("mode", "a") }, func(i int) func(o scenario.Object) { return set("seen", fmt.Sprint(i)) }, false},
		"updates of the same":  {func(i int) scenario.Object { return data("mode", fmt.Sprint(i)) }, func(int) func(o scenario.Object) { return func(scenario.Object) {} }, true},
		"nothing but one time": {func(i int) scenario.Object { return data("mode", fmt.Sprint(i/20)) }, func(int) func(o scenario.Object) { return func(scenario.Object) {} }, false},
	} {
		s := scenario.NewServer(name)
		s.Create(scheduler, lease, scenario.Object{"spec": scenario.Object{}})
		renew := func(minutes int) {
			for i := range 6 * minutes {
				s.Wait(10 * time.Second)
				s.Edit(scheduler, lease, func(o scenario.Object) { o["spec"].(scenario.Object)["renewTime"] = s.Time() + fmt.Sprint(i) })
			}
		}
		s.Create(operator, object, data("mode", "a"))
		for i := range 24 {
			renew(5)
			s.Apply(flux, object, c.apply(i), true)
			renew(3)
			s.Edit(operator, object, c.change(i))
		}
		r := collect(t, contention.Config{}, 1, atLevel(t, s.Log(), "Metadata")).Report(contention.Thresholds{})
		if got := len(r.Fights) > 0; got != c.found {
			t.Errorf("%s: fight %v, want %v; undecided: %d", name, got, c.found, r.Undecided)
		}
	}
}

// TestClockOfFarTimes checks that a clock stays small if its times are as far
// apart as possible.
func TestClockOfFarTimes(t *testing.T) {
	var log bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&log, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/shop/configmaps/c","verb":"update","user":{"username":"u"},"userAgent":"a","objectRef":{"resource":"configmaps","namespace":"shop","name":"c","apiVersion":"v1","resourceVersion":"%d"},"responseStatus":{"metadata":{},"code":200},"stageTimestamp":"%04d-%02d-21T10:00:00.000000Z"}`+"\n",
			i, i+1, 1971+i%8000, 1+i%12)
	}
	c := collect(t, contention.Config{}, 1, log.Bytes())
	data := c.Encode()
	back, err := contention.Decode(data, contention.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(back.Encode(), data) {
		t.Error("other bytes after decoding")
	}
}
