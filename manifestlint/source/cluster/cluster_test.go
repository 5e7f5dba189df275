package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/clusterreplay"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// want has the findings of a scan for each recorded server. The target is the
// newest release. The package internal/oracle/live created the objects on the
// servers.
var want = map[string][]string{
	"1.24": {
		`error removedapi PodDisruptionBudget shop/web: Helm release shop/web, revision 2 (deployed), chart web-1.0.0, web/templates/pdb.yaml: policy/v1beta1 PodDisruptionBudget was removed in 1.25; use policy/v1 PodDisruptionBudget`,
		`info removedapi Deployment shop/web: history: last applied as extensions/v1beta1 Deployment, which was removed in 1.16`,
		`warning removedapi PodDisruptionBudget shop/web: history: "old-operator" wrote through policy/v1beta1 PodDisruptionBudget (Update, TIME), which was removed in 1.25; if it still does, make it use policy/v1 PodDisruptionBudget`,
		`warning deprecatedapi Backup shop/nightly: history: "old-controller" wrote through example.com/v1alpha1 Backup (Update, TIME), which is deprecated by its CustomResourceDefinition; if it still does, make it use example.com/v1 Backup`,
		`warning deprecatedapi : somebody has asked for example.com/v1alpha1 backups since the API server started, which is deprecated; an audit log tells who`,
		`warning removedapi : somebody has asked for policy/v1beta1 poddisruptionbudgets since the API server started, which is gone in 1.25; use policy/v1 PodDisruptionBudget; an audit log tells who`,
		`warning removedapi : somebody has asked for policy/v1beta1 podsecuritypolicies since the API server started, which is gone in 1.25; an audit log tells who`,
	},
	"1.37": {
		`error removedapi PodDisruptionBudget shop/web: Helm release shop/web, revision 2 (deployed), chart web-1.0.0, web/templates/pdb.yaml: policy/v1beta1 PodDisruptionBudget was removed in 1.25; use policy/v1 PodDisruptionBudget`,
		`info removedapi Deployment shop/web: history: last applied as extensions/v1beta1 Deployment, which was removed in 1.16`,
		`warning deprecatedapi Backup shop/nightly: history: "old-controller" wrote through example.com/v1alpha1 Backup (Update, TIME), which is deprecated by its CustomResourceDefinition; if it still does, make it use example.com/v1 Backup`,
		`warning deprecatedapi : somebody has asked for v1 endpoints since the API server started, which is deprecated; use discovery.k8s.io/v1 EndpointSlice; an audit log tells who`,
		`warning deprecatedapi : somebody has asked for example.com/v1alpha1 backups since the API server started, which is deprecated; an audit log tells who`,
	},
}

// recordedTime matches the times at which the objects were created.
var recordedTime = regexp.MustCompile(`20\d\d-\d\d-\d\dT[\d:]+Z`)

func recordings(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded servers: %v", err)
	}
	all := map[string]string{}
	for _, f := range files {
		all[strings.TrimSuffix(filepath.Base(f), ".jsonl.gz")] = f
	}
	return all
}

func start(t *testing.T, file string) *clusterreplay.Server {
	t.Helper()
	s, err := clusterreplay.Start(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func connect(t *testing.T, text string, o cluster.Options) *cluster.Connection {
	t.Helper()
	o.PerSecond = 10_000
	o.Kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(o.Kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := cluster.Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// lint checks the objects of a scan like the command kubevet.
func lint(t *testing.T, found *cluster.Found, target lifecycle.Target) []string {
	t.Helper()
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	given, err := objectcontext.Collect(t.Context(), slices.Values(found.Inputs), objectcontext.Options{Kinds: checks.ContextKinds()})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	report := func(f rules.Finding) error {
		if f.File != found.Name || f.Line != 0 || f.Column != 0 {
			t.Errorf("finding at %s:%d:%d: want %s and no place in it", f.File, f.Line, f.Column, found.Name)
		}
		object := ""
		if f.Object != nil {
			object = f.Object.String()
		}
		got = append(got, f.Severity.String()+" "+f.Rule+" "+object+": "+recordedTime.ReplaceAllString(f.Message, "TIME"))
		return nil
	}
	l := manifestlint.New(manifestlint.Options{Target: target, Checks: checks.All(checks.NewSet(given)), Severity: severity})
	if _, err := l.Run(t.Context(), slices.Values(found.Inputs), report); err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Findings {
		_ = report(f)
	}
	return got
}

func TestScan(t *testing.T) {
	for minor, file := range recordings(t) {
		t.Run(minor, func(t *testing.T) {
			s := start(t, file)
			c := connect(t, s.Kubeconfig("prod"), cluster.Options{PageSize: 3})
			if c.Name != "cluster:prod" || c.Version.String() != minor {
				t.Errorf("connected to %s, %s", c.Name, c.Version)
			}
			target, err := lifecycle.NewTarget(lifecycle.Minor(lifecycle.Newest).String(), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			found, err := c.Scan(t.Context(), target)
			if err != nil {
				t.Fatal(err)
			}
			if len(found.Unread) > 0 {
				t.Errorf("not read: %v", found.Unread)
			}
			if d := cmp.Diff(map[string]int{"GET": found.Requests}, s.Methods()); d != "" {
				t.Errorf("requests (-want +got):\n%s", d)
			}
			if unknown := s.Unknown(); len(unknown) > 0 {
				t.Errorf("the scan sent other requests than the one that was recorded (go test -C internal/oracle ./live -record): %q", unknown)
			}
			if found.ReplacedReleases != 1 || found.Resources < 40 || found.Objects < 100 {
				t.Errorf("%d replaced releases, %d resources, %d objects", found.ReplacedReleases, found.Resources, found.Objects)
			}
			if d := cmp.Diff(want[minor], lint(t, found, target)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
			for _, in := range found.Inputs {
				text := read(t, in)
				if strings.Contains(text, `"kept"`) || strings.Contains(text, "a2VwdA") {
					t.Error("the data of a ConfigMap was read")
				}
			}
		})
	}
}

func read(t *testing.T, in manifestlint.Input) string {
	t.Helper()
	r, err := in.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestForbidden checks that parts without permission are reported, and that all
// other parts are read.
func TestForbidden(t *testing.T) {
	s := start(t, recordings(t)["1.37"])
	s.SetForbid(func(path string) bool { return path == "/metrics" || path == "/api/v1/secrets" })
	c := connect(t, s.Kubeconfig("prod"), cluster.Options{})
	found, err := c.Scan(t.Context(), lifecycle.Known())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range found.Unread {
		if !u.Forbidden {
			t.Errorf("%v: want it refused", u)
		}
		got = append(got, u.What)
	}
	if d := cmp.Diff([]string{"list secrets", "read /metrics"}, got); d != "" {
		t.Errorf("not read (-want +got):\n%s", d)
	}
	if found.Resources < 40 {
		t.Errorf("%d resources were listed", found.Resources)
	}
}

// TestTrouble checks scans of servers that are busy, expire lists, send invalid
// responses or do not respond, and a scan that the user ends.
func TestTrouble(t *testing.T) {
	const discovery = `{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":""},"versions":[{"version":"v1","resources":[{"resource":"pods","responseKind":{"kind":"Pod"},"scope":"Namespaced","verbs":["list"]}]}]}]}`
	status := func(w http.ResponseWriter, code int, reason, meta string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		w.Write([]byte(`{"kind":"Status","apiVersion":"v1","metadata":{` + meta + `},"status":"Failure","message":"no","reason":"` + reason + `","code":` + strconv.Itoa(code) + `}`))
	}
	pod := func(name string) string { return `{"metadata":{"name":"` + name + `","namespace":"d"}}` }
	for _, c := range []struct {
		name    string
		pods    func(n int, w http.ResponseWriter, r *http.Request)
		objects int
		unread  string
	}{
		{"a busy server", func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				w.Header().Set("Retry-After", "1")
				status(w, http.StatusTooManyRequests, "TooManyRequests", "")
				return
			}
			w.Write([]byte(`{"metadata":{},"items":[` + pod("a") + `]}`))
		}, 1, ""},
		{"a list that expires", func(n int, w http.ResponseWriter, r *http.Request) {
			switch r.URL.Query().Get("continue") {
			case "":
				w.Write([]byte(`{"metadata":{"continue":"old"},"items":[` + pod("a") + `]}`))
			case "old":
				status(w, http.StatusGone, "Expired", `"continue":"now"`)
			case "now":
				w.Write([]byte(`{"metadata":{},"items":[` + pod("b") + `]}`))
			}
		}, 2, ""},
		{"a list that expires for good", func(n int, w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("continue") == "" {
				w.Write([]byte(`{"metadata":{"continue":"old"},"items":[` + pod("a") + `]}`))
				return
			}
			status(w, http.StatusGone, "Expired", "")
		}, 1, "list pods: no"},
		{"nonsense", func(n int, w http.ResponseWriter, r *http.Request) { w.Write([]byte("<html>")) }, 0, "list pods: the answer is not what was asked for: invalid character '<' looking for beginning of value"},
		{"half an answer", func(n int, w http.ResponseWriter, r *http.Request) { w.Write([]byte(`{"metadata":{},"items":[`)) }, 0, "list pods: the answer is not what was asked for: unexpected EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/version":
					w.Write([]byte(`{"gitVersion":"v1.33.4"}`))
				case "/api":
					w.Write([]byte(discovery))
				case "/apis":
					w.Write([]byte(`{"kind":"APIGroupDiscoveryList"}`))
				case "/api/v1/pods":
					n++
					c.pods(n, w, r)
				case "/metrics":
				default:
					w.Write([]byte(`{"metadata":{},"items":[]}`))
				}
			}))
			defer s.Close()
			found, err := connect(t, (&clusterreplay.Server{Server: s}).Kubeconfig("x"), cluster.Options{}).Scan(t.Context(), lifecycle.Known())
			if err != nil {
				t.Fatal(err)
			}
			unread := ""
			for _, u := range found.Unread {
				unread += u.Error()
			}
			if found.Objects != c.objects || unread != c.unread {
				t.Errorf("%d objects, not read: %q; want %d and %q", found.Objects, unread, c.objects, c.unread)
			}
		})
	}
}

func TestConnectErrors(t *testing.T) {
	s := start(t, recordings(t)["1.37"])
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(s.Kubeconfig("prod")), 0o600); err != nil {
		t.Fatal(err)
	}
	var mistake *cluster.ConfigError
	if _, err := cluster.Connect(t.Context(), cluster.Options{Kubeconfig: file, Context: "test"}); !errors.As(err, &mistake) || !strings.Contains(err.Error(), `no context "test"`) {
		t.Errorf("an unknown context gives %v", err)
	}
	if _, err := cluster.Connect(t.Context(), cluster.Options{Kubeconfig: file + ".none"}); !errors.As(err, &mistake) {
		t.Errorf("a missing file gives %v", err)
	}
	s.Close()
	if _, err := cluster.Connect(t.Context(), cluster.Options{Kubeconfig: file}); err == nil || errors.As(err, &mistake) {
		t.Errorf("a server that does not answer gives %v", err)
	}
}

func TestCancel(t *testing.T) {
	hang := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/version" {
			w.Write([]byte(`{"gitVersion":"v1.33.4"}`))
			return
		}
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}))
	defer s.Close()
	defer close(hang)
	c := connect(t, (&clusterreplay.Server{Server: s}).Kubeconfig("x"), cluster.Options{})
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(enough) })
	if _, err := c.Scan(ctx, lifecycle.Known()); !errors.Is(err, enough) {
		t.Errorf("the scan ends with %v", err)
	}
}

// TestReadOnly checks that the transport refuses all methods other than GET.
func TestReadOnly(t *testing.T) {
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead} {
		req := httptest.NewRequest(method, "http://x/", nil)
		if _, err := cluster.ReadOnly(nil).RoundTrip(req); err == nil {
			t.Errorf("%s passes", method)
		}
	}
}
