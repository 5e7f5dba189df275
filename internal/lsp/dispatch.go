package lsp

import (
	"context"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"
)

// computeAnswer returns the answer to a request.
func (s *server) computeAnswer(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "initialize":
		return with(req, s.initialize)
	case "shutdown":
		return nil, s.shutdown()
	case "textDocument/codeAction":
		return withContext(ctx, req, s.codeActions)
	case "textDocument/hover":
		return withContext(ctx, req, s.hover)
	case "textDocument/codeLens":
		return withContext(ctx, req, s.codeLenses)
	case "workspace/executeCommand":
		return withContext(ctx, req, s.execute)
	}
	return nil, failure(codeMethodNotFound, "the server has no method %q", req.Method)
}

// handleNotification handles a notification, which has no answer in the protocol.
func (s *server) handleNotification(req *jsonrpc2.Request) error {
	s.mu.Lock()
	phase := s.phase
	s.mu.Unlock()
	switch {
	case req.Method == "exit":
		s.stop()
		return nil
	case req.Method == "$/cancelRequest":
		return notice(req, s.cancel)
	case phase != running:
		return nil // the protocol says that the notification must be dropped
	}
	switch req.Method {
	case "initialized":
		s.initialized()
	case "textDocument/didOpen":
		return notice(req, s.didOpen)
	case "textDocument/didChange":
		return notice(req, s.didChange)
	case "textDocument/didSave":
		return notice(req, s.didSave)
	case "textDocument/didClose":
		return notice(req, s.didClose)
	case "workspace/didChangeWatchedFiles":
		return notice(req, s.didChangeWatchedFiles)
	case "workspace/didChangeWorkspaceFolders":
		return notice(req, s.didChangeFolders)
	case "workspace/didChangeConfiguration":
		return notice(req, s.didChangeConfiguration)
	}
	return nil
}

func with[P, R any](req *jsonrpc2.Request, do func(*P) (R, error)) (any, error) {
	p, err := params[P](req)
	if err != nil {
		return nil, err
	}
	return do(p)
}

func withContext[P, R any](ctx context.Context, req *jsonrpc2.Request, do func(context.Context, *P) (R, error)) (any, error) {
	p, err := params[P](req)
	if err != nil {
		return nil, err
	}
	return do(ctx, p)
}

func notice[P any](req *jsonrpc2.Request, do func(*P)) error {
	p, err := params[P](req)
	if err == nil {
		do(p)
	}
	return err
}

// cancelParams has the ID of a request, which is a number or a string.
type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

// cancel cancels a request whose answer is being computed.
func (s *server) cancel(p *cancelParams) {
	var id jsonrpc2.ID
	if json.Unmarshal(p.ID, &id) != nil {
		return
	}
	s.mu.Lock()
	cancel := s.requests[id]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
