package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/lsp"
	"github.com/sourcegraph/jsonrpc2"
)

// client is an editor that is connected to a server in the same process.
type client struct {
	t    testing.TB
	conn *jsonrpc2.Conn
	dir  string
	// serveResult receives the result of Serve.
	serveResult chan bool

	mu               sync.Mutex
	diagnosticsByURI map[string]published // last diagnostics of each file, by URI
	publishCount     map[string]int       // number of publishDiagnostics messages, by URI
	messages         []string
	edits            []json.RawMessage
	// choice is the client's answer to window/showMessageRequest.
	choice string
	// answerGate delays the answers of the client until it is closed. nil means no delay.
	// gateReached is set when an answer waits.
	answerGate  chan struct{}
	gateReached bool
	news        chan struct{}
}

type published struct {
	URI         string
	Version     *int
	Diagnostics []diag
}

type diag struct {
	Range    rng
	Severity int
	Code     string
	Message  string
	Tags     []int

	RelatedInformation []json.RawMessage
}

type pos struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type rng struct {
	Start pos `json:"start"`
	End   pos `json:"end"`
}

// testTimeout is the maximal time that a test waits for the server.
const testTimeout = 60 * time.Second

// start starts a server and an editor that has opened a directory with the files. options
// are the initializationOptions.
func start(t testing.TB, files map[string]string, options map[string]any) *client {
	t.Helper()
	c := connect(t, files)
	c.initialize(options)
	return c
}

// connect starts a server for a directory with the files, without sending initialize.
func connect(t testing.TB, files map[string]string) *client {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := connectTo(t, dir, lsp.Options{})
	for name, text := range files {
		c.write(name, text)
	}
	return c
}

// connectTo starts a server for a directory. env has further environment variables.
func connectTo(t testing.TB, dir string, o lsp.Options, env ...string) *client {
	c := &client{t: t, dir: dir, diagnosticsByURI: map[string]published{}, publishCount: map[string]int{}, news: make(chan struct{}, 1), serveResult: make(chan bool, 1)}
	in, fromClient := io.Pipe()
	toClient, out := io.Pipe()
	o.App = &app.App{Stderr: &testLog{t: t}, Dir: dir, Env: append(os.Environ(), env...), Ending: &app.Ending{}}
	o.Version, o.PagesURL = "test", "https://example.com/rules/"
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		c.serveResult <- lsp.Serve(ctx, in, out, o)
		out.Close()
	}()
	c.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipe{toClient, fromClient}, jsonrpc2.VSCodeObjectCodec{}), c, jsonrpc2.SetLogger(&testLog{t: t}))
	t.Cleanup(func() {
		cancel()
		c.conn.Close()
		<-over
	})
	return c
}

type testLog struct{ t testing.TB }

func (l *testLog) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "panic") {
		l.t.Errorf("the server panicked: %s", p)
	}
	return len(p), nil
}

func (l *testLog) Printf(string, ...any) {}

type pipe struct {
	io.Reader
	io.WriteCloser
}

func (c *client) initialize(options map[string]any) map[string]any {
	c.t.Helper()
	var result map[string]any
	c.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": c.uri(""), "initializationOptions": options,
		"workspaceFolders": []any{map[string]any{"uri": c.uri(""), "name": "test"}},
		"capabilities": map[string]any{
			"workspace": map[string]any{
				"applyEdit":     true,
				"workspaceEdit": map[string]any{"documentChanges": true, "changeAnnotationSupport": map[string]any{}},
			},
			"textDocument": map[string]any{"publishDiagnostics": map[string]any{"relatedInformation": true}},
		},
	}, &result)
	c.notify("initialized", map[string]any{})
	return result
}

func (c *client) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c *client) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(c.path(name))}).String()
}

func (c *client) write(name, text string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.path(name)), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.path(name), []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// call sends a request, and fails the test if the answer is an error.
func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// Handle implements jsonrpc2.Handler.
func (c *client) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	result, err := c.handle(req)
	if err != nil {
		c.t.Errorf("%s: %v", req.Method, err)
	}
	if req.Notif {
		return
	}
	c.mu.Lock()
	hold := c.answerGate
	c.mu.Unlock()
	// The pipes have no buffer. If this goroutine wrote the answer, both ends could wait
	// for each other.
	go func() {
		if hold != nil {
			<-hold
		}
		_ = conn.Reply(ctx, req.ID, result)
	}()
}

// handle returns the answer to a message from the server.
func (c *client) handle(req *jsonrpc2.Request) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		select {
		case c.news <- struct{}{}:
		default:
		}
	}()
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p published
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			return nil, err
		}
		c.diagnosticsByURI[p.URI] = p
		c.publishCount[p.URI]++
	case "window/showMessage", "window/logMessage":
		var p struct{ Message string }
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			return nil, err
		}
		c.messages = append(c.messages, p.Message)
	case "workspace/applyEdit":
		c.edits = append(c.edits, *req.Params)
		return map[string]any{"applied": true}, nil
	case "window/showMessageRequest":
		c.gateReached = true
		return map[string]any{"title": c.choice}, nil
	}
	return nil, nil
}

func (c *client) open(name, text string) {
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": c.uri(name), "languageId": strings.TrimPrefix(filepath.Ext(name), "."), "version": 1, "text": text,
	}})
}

// replace replaces the whole text of a document.
func (c *client) replace(name string, version int, text string) {
	c.change(name, version, map[string]any{"text": text})
}

func (c *client) change(name string, version int, changes ...any) {
	c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": c.uri(name), "version": version}, "contentChanges": changes,
	})
}

func (c *client) save(name string) {
	c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}})
}

// wait waits until done returns true. It calls done after each message from the server.
func (c *client) wait(what string, done func() bool) {
	c.t.Helper()
	deadline := time.After(testTimeout)
	for {
		c.mu.Lock()
		ok := done()
		c.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-c.news:
		case <-deadline:
			c.mu.Lock()
			defer c.mu.Unlock()
			c.t.Fatalf("the server did not send %s; diagnostics: %+v; messages: %q", what, c.diagnosticsByURI, c.messages)
		}
	}
}

// diagnostics waits until the diagnostics of a file are want, in the form
// "line:character-character code".
func (c *client) diagnostics(name string, want ...string) []diag {
	c.t.Helper()
	text := strings.Join(want, "\n")
	c.wait(fmt.Sprintf("%q for %s", want, name), func() bool {
		p, ok := c.diagnosticsByURI[c.uri(name)]
		return (ok || len(want) == 0) && summary(p.Diagnostics) == text
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.diagnosticsByURI[c.uri(name)].Diagnostics
}

func summary(list []diag) string {
	var lines []string
	for _, d := range list {
		end := fmt.Sprint(d.Range.End.Character)
		if d.Range.End.Line != d.Range.Start.Line {
			end = fmt.Sprintf("%d:%s", d.Range.End.Line, end)
		}
		lines = append(lines, fmt.Sprintf("%d:%d-%s %s", d.Range.Start.Line, d.Range.Start.Character, end, d.Code))
	}
	return strings.Join(lines, "\n")
}

// noDiagnostics checks that files have no diagnostics. Call it after the test has
// received later diagnostics, so that the server had enough time.
func (c *client) noDiagnostics(names ...string) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range names {
		if p := c.diagnosticsByURI[c.uri(name)]; len(p.Diagnostics) > 0 {
			c.t.Errorf("%s has diagnostics: %s", name, summary(p.Diagnostics))
		}
	}
}
