// Package clusterreplay answers a scan of a cluster in tests with what a real
// kube-apiserver answered to one.
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

// exchange is a request and its answer, as internal/oracle/live writes them.
type exchange struct {
	Path   string `json:"path"`
	Accept string `json:"accept"`
	Code   int    `json:"code"`
	Type   string `json:"type"`
	Body   string `json:"body"`
}

// Server answers as a recorded one did.
type Server struct {
	*httptest.Server

	answers map[string]exchange
	mu      sync.Mutex
	forbid  func(path string) bool
	unknown []string
	methods map[string]int
}

// Start starts a server with the answers of a file.
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

// key returns the identity of a request. The size of a page and the timeout are no part
// of it, because pages are as they were recorded.
func key(at *url.URL, accept string) string {
	query := at.Query()
	query.Del("limit")
	query.Del("timeout")
	return at.Path + "?" + query.Encode() + " " + accept
}

// ServeHTTP answers a request.
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

// SetForbid says of which paths requests are refused; nil: of none.
func (s *Server) SetForbid(forbid func(path string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forbid = forbid
}

// Unknown are the requests that the recorded scan did not send.
func (s *Server) Unknown() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.unknown...)
}

// Methods counts the requests by their method.
func (s *Server) Methods() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]int{}
	for m, n := range s.methods {
		all[m] = n
	}
	return all
}

// Kubeconfig is a kubeconfig whose only context leads to the server.
func (s *Server) Kubeconfig(context string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":%q,
  "clusters":[{"name":"c","cluster":{"server":%q}}],
  "users":[{"name":"u","user":{"token":"t"}}],
  "contexts":[{"name":%q,"context":{"cluster":"c","user":"u"}}]}
`, context, s.URL, context)
}
