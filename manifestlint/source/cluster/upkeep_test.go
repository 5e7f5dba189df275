package cluster_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/clusterreplay"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
)

// TestUpkeep checks that objects are reduced, and that refused parts are
// reported, but not missing ones.
func TestUpkeep(t *testing.T) {
	list := func(items string) string { return `{"kind":"List","metadata":{},"items":[` + items + `]}` }
	answers := map[string]string{
		"/version":                             `{"gitVersion":"v1.33.4"}`,
		"/api/v1/nodes":                        list(`{"metadata":{"name":"a","annotations":{"secret":"x"}},"status":{"nodeInfo":{"kubeletVersion":"v1.30.1"},"images":[{"names":["big"]}]}}`),
		"/apis/policy/v1/poddisruptionbudgets": list(`{"metadata":{"name":"web","namespace":"shop"},"spec":{"minAvailable":"100%","selector":{"matchLabels":{"app":"web"}}},"status":{"disruptionsAllowed":0,"expectedPods":2}}`),
		"/api/v1/pods": list(`{"metadata":{"name":"web","namespace":"shop"},"spec":{"containers":[{"name":"c","command":["x","--password=secret"],"env":[{"name":"a","value":"secret"}]}]}},` +
			`{"metadata":{"name":"kube-apiserver","namespace":"kube-system"},"spec":{"containers":[{"name":"c","command":["kube-apiserver","--cloud-provider=external"],"env":[{"name":"a","value":"secret"}]}]}}`),
		"/api/v1/namespaces/kube-system/configmaps/kubeadm-config": `{"metadata":{"name":"kubeadm-config","namespace":"kube-system"},"data":{"ClusterConfiguration":"kind: ClusterConfiguration"}}`,
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch text, ok := answers[r.URL.Path]; {
		case ok:
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(text))
		case strings.HasSuffix(r.URL.Path, "/deployments"):
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`))
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	up, err := connect(t, (&clusterreplay.Server{Server: s}).Kubeconfig("x"), cluster.Options{}).Upkeep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range up.Objects {
		got = append(got, string(o))
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{
		`{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},"status":{"nodeInfo":{"kubeletVersion":"v1.30.1"}}}`,
		`"minAvailable":"100%"`, `"disruptionsAllowed":0`, `"--cloud-provider=external"`, `"ClusterConfiguration":"kind: ClusterConfiguration"`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in\n%s", want, all)
		}
	}
	if strings.Contains(all, "secret") || len(got) != 5 {
		t.Errorf("%d objects:\n%s", len(got), all)
	}
	if len(up.Unread) != 1 || !up.Unread[0].Forbidden || up.Unread[0].What != "list deployments.apps" {
		t.Errorf("not read: %v", up.Unread)
	}
}
