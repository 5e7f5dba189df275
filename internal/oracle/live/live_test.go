// Package live compares kubevet's scan of a running cluster with released
// kube-apiservers. Its test runs if KUBEVET_ORACLE_SERVERS names a directory with
// kube-apiservers, such as the directory of `make oracle`.
package live

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/client"
	"github.com/kubevet/kubevet/internal/oracle/release"
	"github.com/kubevet/kubevet/internal/oracle/server"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

var record = flag.Bool("record", false, "write down what the servers answer to a scan")

// recorded is the directory with the servers' responses for the tests of the scan.
var recorded = filepath.Join("..", "..", "..", "manifestlint", "source", "cluster", "testdata")

// TestScan checks that a scan reads all objects, and that it does not change the metric
// of deprecated APIs.
func TestScan(t *testing.T) {
	dir := os.Getenv("KUBEVET_ORACLE_SERVERS")
	if dir == "" {
		t.Skip("KUBEVET_ORACLE_SERVERS names no directory with kube-apiservers")
	}
	binaries, err := filepath.Glob(filepath.Join(dir, "kube-apiserver-*"))
	if err != nil || len(binaries) == 0 {
		t.Fatalf("no kube-apiservers in %s: %v", dir, err)
	}
	for _, binary := range binaries {
		version := strings.TrimPrefix(filepath.Base(binary), "kube-apiserver-")
		t.Run(version, func(t *testing.T) { scan(t, binary, release.Minor(version)) })
	}
}

func scan(t *testing.T, binary, minor string) {
	// A test directory would be removed before the server has ended.
	dir, err := os.MkdirTemp("", "oracle-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	at, stop, err := server.Start(t.Context(), server.Options{Name: minor, Dir: dir, Run: release.Run(binary, filepath.Join(dir, "log"))})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	fill(t, at, minor)

	before := deprecatedRows(t, at)
	seen := &recorder{}
	c, err := cluster.Connect(t.Context(), cluster.Options{Kubeconfig: kubeconfig(t, at, "admin"), PageSize: 3, Wrap: seen.wrap})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Version.String(); got != minor {
		t.Errorf("the server's version is %s, want %s", got, minor)
	}
	target, err := lifecycle.NewTarget(minor+".."+lifecycle.Minor(lifecycle.Newest).String(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.Scan(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, deprecatedRows(t, at)); d != "" {
		t.Errorf("the scan asked for deprecated APIs (-before +after):\n%s", d)
	}
	if len(found.Unread) > 0 {
		t.Errorf("an administrator may read everything, but: %v", found.Unread)
	}
	for _, one := range seen.all {
		if one.Method != http.MethodGet {
			t.Errorf("the scan sent %s %s", one.Method, one.Path)
		}
		if one.Warning != "" {
			t.Errorf("the server warned of %s: %s", one.Path, one.Warning)
		}
	}
	t.Logf("%d objects of %d resources in %d requests; notes: %q", found.Objects, found.Resources, found.Requests, found.Notes)
	for _, f := range found.Findings {
		t.Logf("%s: %s", f.Rule, f.Message)
	}
	if *record {
		write(t, filepath.Join(recorded, minor+".jsonl.gz"), seen.all)
	}

	// The scan of a user without permissions must report the missing permissions.
	c, err = cluster.Connect(t.Context(), cluster.Options{Kubeconfig: kubeconfig(t, at, "viewer")})
	if err != nil {
		t.Fatal(err)
	}
	found, err = c.Scan(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Unread) < 20 || found.Objects > 0 {
		t.Errorf("%d objects, and could not read %d things: want nothing but refusals", found.Objects, len(found.Unread))
	}
	for _, u := range found.Unread {
		if !u.Forbidden {
			t.Errorf("%s: want a refusal", u.Error())
		}
	}
}

// fill creates the objects that a scan should find in a cluster.
func fill(t *testing.T, at *client.Server, minor string) {
	t.Helper()
	post := func(path, body string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+at.Tokens["admin"])
		req.Header.Set("Content-Type", "application/json")
		for range 50 { // a new definition is served after a delay
			req.Body = io.NopCloser(strings.NewReader(body))
			answer, err := at.HTTP.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if answer.StatusCode == http.StatusCreated {
				return
			}
			if answer.StatusCode != http.StatusNotFound {
				t.Fatalf("POST %s: %d %s", path, answer.StatusCode, text)
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("POST %s: is not served", path)
	}
	post("/api/v1/namespaces", `{"metadata":{"name":"shop"}}`)
	for i := range 7 {
		post("/api/v1/namespaces/shop/configmaps", fmt.Sprintf(`{"metadata":{"name":"c%d"},"data":{"secret":"kept"}}`, i))
	}
	post("/apis/apps/v1/namespaces/shop/deployments?fieldManager=web-operator",
		`{"metadata":{"name":"web","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"extensions/v1beta1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\"}}"}},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`)
	post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", `{"metadata":{"name":"backups.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"backups","kind":"Backup"},"versions":[
		{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
		{"name":"v1alpha1","served":true,"storage":false,"deprecated":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`)
	post("/apis/example.com/v1alpha1/namespaces/shop/backups?fieldManager=old-controller", `{"apiVersion":"example.com/v1alpha1","kind":"Backup","metadata":{"name":"nightly"},"spec":{"at":"3:00"}}`)
	post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
		`{"metadata":{"name":"w"},"webhooks":[{"name":"w.example.com","sideEffects":"None","admissionReviewVersions":["v1"],"failurePolicy":"Ignore","clientConfig":{"url":"https://localhost:1/x"},"rules":[{"operations":["CREATE"],"apiGroups":["none"],"apiVersions":["v1"],"resources":["none"]}]}]}`)
	old := `apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata:
  name: web
`
	for i, status := range []string{"superseded", "deployed"} {
		post("/api/v1/namespaces/shop/secrets", releaseSecret("web", i+1, status, "---\n# Source: web/templates/pdb.yaml\n"+old))
	}
	switch minor {
	case "1.24":
		post("/apis/policy/v1beta1/namespaces/shop/poddisruptionbudgets?fieldManager=old-operator", `{"metadata":{"name":"web"},"spec":{"minAvailable":1}}`)
		post("/apis/policy/v1beta1/podsecuritypolicies", `{"metadata":{"name":"p"},"spec":{"seLinux":{"rule":"RunAsAny"},"runAsUser":{"rule":"RunAsAny"},"supplementalGroups":{"rule":"RunAsAny"},"fsGroup":{"rule":"RunAsAny"}}}`)
	default:
		post("/api/v1/namespaces/shop/endpoints?fieldManager=old-operator", `{"metadata":{"name":"web"}}`)
	}
}

func releaseSecret(name string, revision int, status, manifest string) string {
	payload, _ := json.Marshal(map[string]any{
		"name": name, "namespace": "shop", "version": revision, "manifest": manifest,
		"info": map[string]any{"status": status}, "chart": map[string]any{"metadata": map[string]any{"name": name, "version": "1.0.0"}},
	})
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(payload)
	w.Close()
	body, _ := json.Marshal(map[string]any{
		"metadata": map[string]any{
			"name":   fmt.Sprintf("sh.helm.release.v1.%s.v%d", name, revision),
			"labels": map[string]string{"owner": "helm", "name": name, "status": status, "version": fmt.Sprint(revision)},
		},
		"type": "helm.sh/release.v1",
		"data": map[string][]byte{"release": []byte(base64.StdEncoding.EncodeToString(packed.Bytes()))},
	})
	return string(body)
}

// deprecatedRows returns the rows of the metric of deprecated APIs.
func deprecatedRows(t *testing.T, at *client.Server) []string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at.URL+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+at.Tokens["admin"])
	answer, err := at.HTTP.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if strings.HasPrefix(line, "apiserver_requested_deprecated_apis{") {
			rows = append(rows, line)
		}
	}
	if len(rows) == 0 {
		t.Fatal("the metric has no rows, although a deprecated API was asked for")
	}
	slices.Sort(rows)
	return rows
}

// kubeconfig writes a kubeconfig for a user.
func kubeconfig(t *testing.T, at *client.Server, user string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"oracle",
		"clusters":[{"name":"c","cluster":{"server":%q,"insecure-skip-tls-verify":true}}],
		"users":[{"name":"u","user":{"token":%q}}],
		"contexts":[{"name":"oracle","context":{"cluster":"c","user":"u"}}]}`, at.URL, at.Tokens[user])
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// exchange is a recorded request and its response.
type exchange struct {
	Method  string `json:"method"`
	Path    string `json:"path"` // path and query
	Accept  string `json:"accept"`
	Code    int    `json:"code"`
	Type    string `json:"type"`
	Body    string `json:"body"`
	Warning string `json:"warning,omitempty"`
}

// recorder is a transport that records requests and responses.
type recorder struct {
	mu  sync.Mutex
	all []exchange
}

func (r *recorder) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		answer, err := next.RoundTrip(req)
		if err != nil {
			return answer, err
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			return nil, err
		}
		answer.Body = io.NopCloser(bytes.NewReader(body))
		r.mu.Lock()
		defer r.mu.Unlock()
		r.all = append(r.all, exchange{
			Method: req.Method, Path: req.URL.RequestURI(), Accept: req.Header.Get("Accept"),
			Code: answer.StatusCode, Type: answer.Header.Get("Content-Type"), Body: recordedBody(req.URL.Path, string(body)), Warning: answer.Header.Get("Warning"),
		})
		return answer, nil
	})
}

// recordedBody returns the body to record. Of metrics, it keeps the rows that the scan
// reads, and a few others.
func recordedBody(path, body string) string {
	if path != "/metrics" {
		return body
	}
	var out strings.Builder
	for line := range strings.Lines(body) {
		if strings.Contains(line, "deprecated_apis") || strings.Contains(line, "apiserver_storage_objects") || strings.Contains(line, "apiserver_resource_objects") || strings.Contains(line, "kubernetes_build_info") {
			out.WriteString(line)
		}
	}
	return out.String()
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func write(t *testing.T, file string, all []exchange) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := oracle.WriteLines(file, all); err != nil {
		t.Fatal(err)
	}
}
