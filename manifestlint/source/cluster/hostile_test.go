package cluster_test

import (
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/clusterreplay"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// podsOnly is the discovery response of a server that has only pods.
const podsOnly = `{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":""},"versions":[{"version":"v1","resources":[{"resource":"pods","responseKind":{"kind":"Pod"},"scope":"Namespaced","verbs":["list"]}]}]}]}`

// serve starts a server that has only pods. The handler pods responds to lists
// of pods.
func serve(t *testing.T, pods http.HandlerFunc) *clusterreplay.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/version":
			io.WriteString(w, `{"gitVersion":"v1.33.4"}`)
		case "/api":
			io.WriteString(w, podsOnly)
		case "/apis":
			io.WriteString(w, `{"kind":"APIGroupDiscoveryList"}`)
		case "/api/v1/pods":
			pods(w, r)
		case "/metrics":
		default:
			io.WriteString(w, `{"kind":"SecretList","metadata":{},"items":[]}`)
		}
	}))
	t.Cleanup(s.Close)
	return &clusterreplay.Server{Server: s}
}

// unread returns the parts that a scan could not read.
func unread(t *testing.T, c *cluster.Connection) string {
	t.Helper()
	found, err := c.Scan(t.Context(), lifecycle.Known())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, u := range found.Unread {
		all = append(all, u.Error())
	}
	return strings.Join(all, "\n")
}

// TestHostileLists checks that a scan ends and reports the list for each
// response of a hostile server.
func TestHostileLists(t *testing.T) {
	pod := `{"metadata":{"name":"a"}}`
	var n atomic.Int64
	for _, c := range []struct {
		name string
		pods http.HandlerFunc
		want string
	}{
		{"the same token twice", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"metadata":{"continue":"x","remainingItemCount":1},"items":[`+pod+`]}`)
		}, "list pods: the list does not end: the server sent the same continue token twice, after 2 objects"},
		{"a circle of tokens", func(w http.ResponseWriter, r *http.Request) {
			next := map[string]string{"": "a", "a": "b", "b": "c", "c": "a"}[r.URL.Query().Get("continue")]
			io.WriteString(w, `{"metadata":{"continue":"`+next+`"},"items":[`+pod+`]}`)
		}, "list pods: the list does not end: the server sent the same continue token twice, after 4 objects"},
		{"pages without objects", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"metadata":{"continue":"t%d"},"items":[]}`, n.Add(1))
		}, "list pods: the list does not end: it has 0 objects on 101 pages so far"},
		{"an empty object", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{}`) }, "list pods: the answer is not a list"},
		{"an object", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"kind":"Status","status":"Success"}`)
		}, `list pods: the answer is a "Status", not a list`},
		{"no objects at all", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"kind":"PodList","metadata":{},"items":[]}`)
		}, "list objects: the server lists no object at all: it is not a Kubernetes API server, or hides the objects from this user"},
		{"too late a repetition", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "99999")
			w.WriteHeader(http.StatusTooManyRequests)
		}, "list pods: the server has received too many requests and has asked us to try again later"},
		{"repetitions for ever", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		}, "list pods: "},
		{"a time as the wait", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "Fri, 31 Dec 2999 23:59:59 GMT")
			w.WriteHeader(http.StatusTooManyRequests)
		}, "list pods: "},
		{"a wait that overflows", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", strconv.Itoa(1<<62))
			w.WriteHeader(http.StatusTooManyRequests)
		}, "list pods: "},
		{"a negative wait", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "-5")
			w.WriteHeader(http.StatusTooManyRequests)
		}, "list pods: "},
		{"a slow answer", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"items":[`)
			for r.Context().Err() == nil {
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		}, "list pods: the answer is not what was asked for: no complete answer within 3s"},
		{"a bomb", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			spaces := make([]byte, 1<<20)
			for i := range spaces {
				spaces[i] = ' '
			}
			for range 257 {
				z.Write(spaces)
			}
			z.Close()
		}, "list pods: the answer is not what was asked for: "},
		{"redirects for ever", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/api/v1/pods?again", http.StatusFound)
		}, "the server redirects without end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.pods)
			got := unread(t, connect(t, s.Kubeconfig("x"), cluster.Options{Timeout: 3 * time.Second}))
			if !strings.Contains(got, c.want) {
				t.Errorf("not read: %q, want %q", got, c.want)
			}
		})
	}
}

// TestRedirect checks that credentials are not sent to another server.
func TestRedirect(t *testing.T) {
	var stolen atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stolen.Add(1) }))
	defer other.Close()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/api/v1/pods", http.StatusTemporaryRedirect)
	})
	got := unread(t, connect(t, s.Kubeconfig("x"), cluster.Options{}))
	if want := "the server redirects to " + other.URL + ", which must not get its credentials"; !strings.Contains(got, want) {
		t.Errorf("not read: %q, want %q", got, want)
	}
	if stolen.Load() > 0 {
		t.Error("the other server was asked")
	}
	same := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("again") == "" {
			http.Redirect(w, r, "/api/v1/pods?again=1", http.StatusFound)
			return
		}
		io.WriteString(w, `{"kind":"PodList","metadata":{},"items":[{"metadata":{"name":"a"}}]}`)
	})
	if got := unread(t, connect(t, same.Kubeconfig("x"), cluster.Options{})); got != "" {
		t.Errorf("a redirect to the same server: %s", got)
	}
}

// TestNoServer checks that a server that is not an API server is an error, not
// an empty cluster.
func TestNoServer(t *testing.T) {
	for _, c := range []struct{ version, rest, want string }{
		{`{}`, `{}`, "it is not a Kubernetes API server"},
		{`<html>Log in</html>`, ``, "the answer is not what was asked for"},
		{`[]`, ``, "the answer is not what was asked for"},
		{`{"gitVersion":"v1.33.4"}`, `{}`, `discover /api: the answer does not list APIs (kind ""): it is not a Kubernetes API server`},
		{`{"gitVersion":"v1.33.4"}`, `{"kind":"APIGroupDiscoveryList"}`, "list objects: the server lists no object at all"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/version" {
				io.WriteString(w, c.version)
				return
			}
			io.WriteString(w, c.rest)
		}))
		config := write(t, (&clusterreplay.Server{Server: s}).Kubeconfig("x"))
		got := ""
		if conn, err := cluster.Connect(t.Context(), cluster.Options{Kubeconfig: config, PerSecond: 1000}); err != nil {
			got = err.Error()
		} else {
			got = unread(t, conn)
		}
		s.Close()
		if !strings.Contains(got, c.want) {
			t.Errorf("%s and %s: %q, want %q", c.version, c.rest, got, c.want)
		}
	}
}

// TestTLS checks that the error for a TLS problem contains advice.
func TestTLS(t *testing.T) {
	start := func(change func(*httptest.Server)) *httptest.Server {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"gitVersion":"v1.33.4"}`) }))
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		if change != nil {
			change(s)
		}
		s.StartTLS()
		t.Cleanup(s.Close)
		return s
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secure := start(nil)
	asking := start(func(s *httptest.Server) {
		s.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: x509.NewCertPool()}
	})
	authority := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}))
	for _, c := range []struct{ name, server, more, want string }{
		{"good", secure.URL, `"certificate-authority-data":"` + authority + `"`, ""},
		{"unknown authority", secure.URL, `"tls-server-name":"example.com"`, "set certificate-authority or certificate-authority-data of the cluster in the kubeconfig"},
		{"another name", secure.URL, `"tls-server-name":"other.test","certificate-authority-data":"` + authority + `"`, "or set tls-server-name of the cluster to one"},
		{"a client certificate", asking.URL, `"certificate-authority-data":"` + authority + `"`, "check client-certificate and client-key of the user in the kubeconfig"},
		{"http behind https", strings.Replace(plain.URL, "http:", "https:", 1), `"insecure-skip-tls-verify":true`, "the server does not speak TLS: correct the port or the scheme"},
		{"https behind http", strings.Replace(secure.URL, "https:", "http:", 1), `"insecure-skip-tls-verify":false`, "begin the server in the kubeconfig with https://"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := write(t, fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"x",
  "clusters":[{"name":"c","cluster":{"server":%q,%s}}],"users":[{"name":"u","user":{"token":"t"}}],
  "contexts":[{"name":"x","context":{"cluster":"c","user":"u"}}]}`, c.server, c.more))
			_, err := cluster.Connect(t.Context(), cluster.Options{Kubeconfig: config})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
