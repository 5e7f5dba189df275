// Package lsp is a language server. It speaks LSP 3.17 over a pair of streams, and
// reports the findings of `kubevet lint` in the texts of an editor.
//
// The client is trusted like flags: it names the folders and sets the target. The files
// in the folders and the texts of documents are not trusted. The sizes of messages and
// documents, the number of findings, and the time of computations are limited.
//
// The server handles notifications in the order of their arrival, and each request in its
// own goroutine. Each folder has two goroutines. One checks changed documents
// immediately, each document alone. After a pause in typing, the other renders charts and
// checks the folder.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/sourcegraph/jsonrpc2"
)

// Options configure a server.
type Options struct {
	// App has the working directory and the environment.
	App *app.App
	// Program is the command that runs kubevet, with its first arguments. The server runs
	// it to check Go code. An empty Program disables these checks.
	Program []string
	// Version is the version of kubevet.
	Version string
	// PagesURL is the address of the directory with the rule pages. A page is <id>.md.
	PagesURL string
}

// phase is the protocol's phase of a connection.
type phase int

const (
	created phase = iota
	running
	stopped // after the request shutdown
)

// server is the state of one connection with a client.
type server struct {
	o    Options
	conn *jsonrpc2.Conn
	// ctx ends with the connection. stop cancels ctx. work counts the running goroutines.
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	client clientCapabilities

	mu       sync.Mutex
	phase    phase
	settings clientSettings
	docs     map[string]*document // open documents, by path
	roots    []*root
	requests map[jsonrpc2.ID]context.CancelFunc
	// warned has the messages that were already shown to the user.
	warned map[string]bool
	golang goChecks
}

// Serve serves one client until the client sends exit or closes the connection. orderly
// is true if the client sent shutdown first, as the protocol requires.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) (orderly bool) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{
		o: o, ctx: ctx, stop: stop, docs: map[string]*document{}, settings: defaultSettings(),
		requests: map[jsonrpc2.ID]context.CancelFunc{}, warned: map[string]bool{},
	}
	closing := func() error {
		if c, ok := in.(io.Closer); ok {
			return c.Close()
		}
		return nil
	}
	ready := make(chan struct{})
	handle := handlerFunc(func(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
		<-ready
		s.handle(req)
	})
	s.conn = jsonrpc2.NewConn(ctx, newStream(in, out, closing), handle, jsonrpc2.SetLogger(logger{o.App}))
	close(ready)
	select {
	case <-s.conn.DisconnectNotify():
	case <-ctx.Done():
	}
	stop()
	s.work.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phase == stopped
}

// logger prints the messages of the library jsonrpc2 and escapes special characters.
type logger struct{ app *app.App }

func (l logger) Printf(format string, v ...any) {
	l.app.Complain("lsp: %s", strings.TrimSpace(fmt.Sprintf(format, v...)))
}

type handlerFunc func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request)

func (f handlerFunc) Handle(ctx context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) { f(ctx, c, r) }

// maxRequests is the maximal number of requests that are computed at the same time.
const maxRequests = 64

// handle handles one message. The reading goroutine calls it for the messages in order.
func (s *server) handle(req *jsonrpc2.Request) {
	if req.Notif {
		s.recoverPanic(req.Method, func() error { return s.handleNotification(req) })
		return
	}
	if err := s.checkPhase(req.Method); err != nil {
		s.reply(req.ID, nil, err)
		return
	}
	// These two requests change how the next message is handled, so they are answered
	// first.
	if req.Method == "initialize" || req.Method == "shutdown" {
		s.answer(s.ctx, req)
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	_, twice := s.requests[req.ID]
	full := len(s.requests) >= maxRequests
	if !twice && !full {
		s.requests[req.ID] = cancel
	}
	s.mu.Unlock()
	switch {
	case twice:
		cancel()
		s.reply(req.ID, nil, failure(codeInvalidRequest, "a request with this id is still being answered"))
	case full:
		cancel()
		s.reply(req.ID, nil, failure(codeRequestFailed, "too many requests at a time"))
	default:
		s.work.Go(func() {
			defer cancel()
			s.answer(ctx, req)
		})
	}
}

// checkPhase returns an error if the current phase does not allow a request.
func (s *server) checkPhase(method string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.phase == created && method != "initialize":
		return failure(codeServerNotInitialized, "the server is not initialized")
	case s.phase == running && method == "initialize":
		return failure(codeInvalidRequest, "the server is initialized already")
	case s.phase == stopped:
		return failure(codeInvalidRequest, "the server is shut down")
	}
	return nil
}

func (s *server) answer(ctx context.Context, req *jsonrpc2.Request) {
	var result any
	err := s.recoverPanic(req.Method, func() (err error) {
		result, err = s.computeAnswer(ctx, req)
		return err
	})
	if ctx.Err() != nil && s.ctx.Err() == nil {
		result, err = nil, failure(codeRequestCancelled, "cancelled")
	}
	s.mu.Lock()
	delete(s.requests, req.ID)
	s.mu.Unlock()
	s.reply(req.ID, result, err)
}

// recoverPanic calls do and converts a panic to an error. A mistake in kubevet about one
// document must not end the server.
func (s *server) recoverPanic(what string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.o.App.Complain("lsp: %s: panic: %v\n%s", what, p, debug.Stack())
			err = failure(codeInternalError, "kubevet failed; standard error has the details")
		}
	}()
	return do()
}

// reply sends an answer. It ignores the error, which is always a closed connection. The
// reading goroutine notices that, too.
func (s *server) reply(id jsonrpc2.ID, result any, err error) {
	if err != nil {
		var own *jsonrpc2.Error
		if !errors.As(err, &own) {
			own = failure(codeRequestFailed, "%s", quote.Text(err.Error()))
		}
		_ = s.conn.ReplyWithError(s.ctx, id, own)
		return
	}
	_ = s.conn.Reply(s.ctx, id, result)
}

func failure(code int64, format string, args ...any) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// params decodes the parameters of a message.
func params[T any](req *jsonrpc2.Request) (*T, error) {
	p := new(T)
	if req.Params == nil {
		return p, nil
	}
	if err := json.Unmarshal(*req.Params, p); err != nil {
		return nil, failure(codeInvalidParams, "the parameters of %s are not those of the protocol", req.Method)
	}
	return p, nil
}

// notify sends a notification. It ignores errors for the same reason as reply.
func (s *server) notify(method string, params any) { _ = s.conn.Notify(s.ctx, method, params) }

// call sends a request to the client and waits for the answer. The reading goroutine must
// not call it, because that goroutine receives the answer.
func (s *server) call(ctx context.Context, method string, params, result any) error {
	return s.conn.Call(ctx, method, params, result)
}

// These are the protocol's types of messages to the user.
const (
	messageError   = 1
	messageWarning = 2
	messageInfo    = 3
)

func (s *server) showMessage(kind int, format string, args ...any) {
	s.notify("window/showMessage", map[string]any{"type": kind, "message": "kubevet: " + quote.Text(fmt.Sprintf(format, args...))})
}

// logf writes a message to the log of the client.
func (s *server) logf(kind int, format string, args ...any) {
	s.notify("window/logMessage", map[string]any{"type": kind, "message": quote.Text(fmt.Sprintf(format, args...))})
}

// warn shows a message to the user, but only once.
func (s *server) warn(kind int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.mu.Lock()
	seen := s.warned[text] || len(s.warned) > 1000
	s.warned[text] = true
	s.mu.Unlock()
	if !seen {
		s.showMessage(kind, "%s", text)
	}
}
