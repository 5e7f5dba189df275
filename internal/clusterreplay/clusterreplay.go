// Package clusterreplay is an API server for tests. It answers a scan of a cluster with
// the recorded answers of a real kube-apiserver.
package clusterreplay

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
)

// exchange is a recorded request and its answer, as internal/oracle/live writes them.
type exchange struct {
	Path   string `json:"path"`
	Accept string `json:"accept"`
	Code   int    `json:"code"`
	Type   string `json:"type"`
	Body   string `json:"body"`
}

// Server is an HTTP server with recorded answers.
type Server struct {
	*httptest.Server

	answers map[string]exchange
	mu      sync.Mutex
	forbid  func(path string) bool
	unknown []string
	methods map[string]int
}

// Start starts a server with the answers in a file.
func Start(file string) (*Server, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	s := &Server{answers: map[string]exchange{}, methods: map[string]int{}}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e exchange
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		at, err := url.Parse(e.Path)
		if err != nil {
			return nil, err
		}
		s.answers[key(at, e.Accept)] = e
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	s.Server = httptest.NewServer(s)
	return s, nil
}

// key identifies a request. The page size and the timeout do not matter, because pages
// were recorded with fixed sizes.
func key(at *url.URL, accept string) string {
	query := at.Query()
	query.Del("limit")
	query.Del("timeout")
	return at.Path + "?" + query.Encode() + " " + accept
}

// ServeHTTP answers a request with the recorded answer, or 404 without one.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.methods[r.Method]++
	forbid := s.forbid
	s.mu.Unlock()
	if forbid != nil && forbid(r.URL.Path) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s is forbidden: User \"viewer\" cannot list resource","reason":"Forbidden","code":403}`, strings.TrimPrefix(r.URL.Path, "/"))
		return
	}
	e, ok := s.answers[key(r.URL, r.Header.Get("Accept"))]
	if !ok {
		s.mu.Lock()
		s.unknown = append(s.unknown, r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Accept"))
		s.mu.Unlock()
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", e.Type)
	w.WriteHeader(e.Code)
	fmt.Fprint(w, e.Body)
}

// SetForbid makes the server refuse requests to the paths for which forbid returns true.
// nil means none.
func (s *Server) SetForbid(forbid func(path string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forbid = forbid
}

// Unknown returns the requests that have no recorded answer.
func (s *Server) Unknown() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.unknown...)
}

// Methods returns the number of requests for each HTTP method.
func (s *Server) Methods() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]int{}
	for m, n := range s.methods {
		all[m] = n
	}
	return all
}

// Kubeconfig returns a kubeconfig with a single context, for the server.
func (s *Server) Kubeconfig(context string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":%q,
  "clusters":[{"name":"c","cluster":{"server":%q}}],
  "users":[{"name":"u","user":{"token":"t"}}],
  "contexts":[{"name":%q,"context":{"cluster":"c","user":"u"}}]}
`, context, s.URL, context)
}
