package audithook

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/oracle/client"
)

// manifests has the files of deploy/audit and the request paths for their objects.
var manifests = []struct{ file, path string }{
	{"namespace.yaml", "/api/v1/namespaces"},
	{"state.yaml", "/api/v1/namespaces/kubevet/persistentvolumeclaims"},
	{"deployment.yaml", "/apis/apps/v1/namespaces/kubevet/deployments"},
	{"service.yaml", "/api/v1/namespaces/kubevet/services"},
	{"networkpolicy.yaml", "/apis/networking.k8s.io/v1/namespaces/kubevet/networkpolicies"},
}

// TestManifests starts a server with the policy and the kubeconfig in deploy/audit, and
// creates the objects.
func TestManifests(t *testing.T) {
	r := newRig(t)
	dir := filepath.Join("..", "..", "..", "deploy", "audit")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	keys, err := writeCertificates(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := strings.NewReplacer("/etc/kubernetes/audit/ca.crt", keys.ca, "/etc/kubernetes/audit/client.crt", keys.clientCert,
		"/etc/kubernetes/audit/client.key", keys.clientKey).Replace(read("apiserver/webhook.yaml"))
	at, stop := r.server("--audit-policy-file="+r.write("policy.yaml", read("apiserver/policy.yaml")), "--audit-webhook-config-file="+r.write("webhook.yaml", kubeconfig),
		"--audit-webhook-batch-max-wait=5s", "--audit-webhook-truncate-enabled", "--audit-webhook-truncate-max-event-size=1048576")
	defer stop()
	for _, m := range manifests {
		post(t, at, m.path+"?fieldValidation=Strict", read(m.file))
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*.yaml")); err != nil || len(files) != len(manifests)+1 {
		t.Errorf("%d files, %v: want those of the list and kustomization.yaml", len(files), err)
	}
}

// post creates an object. It fails the test for an error or a warning.
func post(t *testing.T, s *client.Server, path, object string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, bytes.NewBufferString(object))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.Tokens["admin"])
	req.Header.Set("Content-Type", "application/yaml")
	answer, err := s.HTTP.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusCreated || len(answer.Header["Warning"]) > 0 {
		t.Errorf("%s: %s %q %s %v", path, answer.Status, answer.Header["Warning"], text, err)
	}
}
