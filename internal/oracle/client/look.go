package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/oracle"
)

// Namespaced reports whether a kind is served and whether its objects are in namespaces.
func (s *Server) Namespaced(ctx context.Context, apiVersion, kind string) (namespaced, served bool, err error) {
	r, err := s.resource(ctx, apiVersion, kind)
	if err != nil {
		return false, false, err
	}
	return r.namespaced, r.served, nil
}

// Get reads an object in the version of its head. body is nil if the server does not have
// the object.
func (s *Server) Get(ctx context.Context, head oracle.Head) (body []byte, err error) {
	collection, err := s.collection(ctx, head)
	if err != nil {
		return nil, err
	}
	response, body, err := s.send(ctx, &request{
		method: http.MethodGet, path: collection + "/" + url.PathEscape(head.Metadata.Name), token: s.Tokens["admin"],
	})
	if err != nil || response.StatusCode == http.StatusNotFound {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("reading %s %s: %s", head.Kind, head.Metadata.Name, response.Status)
	}
	return body, nil
}

// Create sends a new object with a query. It returns the whole answer and its
// body.
func (s *Server) Create(ctx context.Context, obj json.RawMessage, query string) (a oracle.Answer, body []byte, err error) {
	r, err := s.request(ctx, &oracle.Case{Obj: obj, Query: &query})
	if err != nil {
		return a, nil, err
	}
	response, body, err := s.send(ctx, r)
	if err != nil {
		return a, nil, err
	}
	a = oracle.Answer{Server: s.Name, Code: response.StatusCode, Warnings: append([]string{}, response.Header["Warning"]...), Path: r.object()}
	read(&a, body)
	return a, body, nil
}

// Settle waits until a new object has taken effect, except for admission policies. It
// also creates the objects that kube-controller-manager would create.
func (s *Server) Settle(ctx context.Context, head oracle.Head, path string) error {
	if strings.Contains(head.Kind, "AdmissionPolicy") {
		return nil
	}
	return s.settle(ctx, head, path)
}

// Make creates an object. path is empty if the object exists already, or if the server
// refuses it. Then refusal is the message of the server.
func (s *Server) Make(ctx context.Context, obj json.RawMessage) (path, refusal string, err error) {
	return s.make(ctx, obj)
}

// Remove removes the objects with these paths, the last path first, and waits until
// definitions and namespaces are removed. Objects in a removed namespace stay, because no
// controller runs that would remove them.
func (s *Server) Remove(ctx context.Context, paths []string) error {
	s.remove(ctx, paths)
	for _, path := range paths {
		namespace := strings.HasPrefix(path, "/api/v1/namespaces/") && strings.Count(path, "/") == 4
		if namespace {
			if err := s.finalize(ctx, path); err != nil {
				return err
			}
		}
		if !namespace && !strings.Contains(path, "/customresourcedefinitions/") {
			continue
		}
		if err := s.waitRemoved(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// finalize removes the namespace's finalizer, which is the last step of the namespace
// controller.
func (s *Server) finalize(ctx context.Context, path string) error {
	_, body, err := s.send(ctx, &request{method: http.MethodGet, path: path, token: s.Tokens["admin"]})
	if err != nil {
		return err
	}
	var namespace map[string]any
	if err := json.Unmarshal(body, &namespace); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	namespace["spec"] = map[string]any{"finalizers": []string{}}
	if body, err = json.Marshal(namespace); err != nil {
		return err
	}
	_, _, err = s.send(ctx, &request{method: http.MethodPut, path: path + "/finalize", token: s.Tokens["admin"], contentType: "application/json", body: body})
	return err
}

// waitRemoved waits until an object is removed.
func (s *Server) waitRemoved(ctx context.Context, path string) error {
	for range 300 {
		response, _, err := s.send(ctx, &request{method: http.MethodGet, path: path, token: s.Tokens["admin"]})
		if err != nil {
			return err
		}
		if response.StatusCode == http.StatusNotFound {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("%s is still there", path)
}
