package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/oracle"
)

// make creates an object. It returns the path of a new object, or the message of the
// server that refuses it.
func (s *Server) make(ctx context.Context, obj json.RawMessage) (path, refusal string, err error) {
	none := "fieldManager=oracle"
	made := oracle.Case{ID: "setup", Obj: obj, Query: &none}
	r, err := s.request(ctx, &made)
	if err != nil {
		return "", "", err
	}
	response, body, err := s.send(ctx, r)
	if err != nil {
		return "", "", err
	}
	switch response.StatusCode {
	case http.StatusCreated:
		return r.object(), "", s.settle(ctx, r.head, r.object())
	case http.StatusConflict:
		return "", "", nil
	}
	var a oracle.Answer
	a.Code = response.StatusCode
	read(&a, body)
	return "", fmt.Sprintf("%d %s", a.Code, a.Message), nil
}

// settle waits until a new object has taken effect. It also does the work of
// kube-controller-manager, which does not run.
func (s *Server) settle(ctx context.Context, head oracle.Head, path string) error {
	switch head.Kind {
	case "Namespace":
		account := fmt.Sprintf(`{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default","namespace":%q}}`, head.Metadata.Name)
		_, _, err := s.make(ctx, json.RawMessage(account))
		return err
	case "CustomResourceDefinition":
		return s.established(ctx, path)
	case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration":
		// The server loads new objects with a delay of about a second.
		time.Sleep(1500 * time.Millisecond)
	case "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding":
		time.Sleep(3 * time.Second)
	}
	return nil
}

// established waits until the server serves the resources of a definition.
func (s *Server) established(ctx context.Context, path string) error {
	_, body, err := s.send(ctx, &request{method: http.MethodGet, path: path, token: s.Tokens["admin"]})
	if err != nil {
		return err
	}
	var crd struct {
		Spec struct {
			Group    string
			Names    struct{ Plural string }
			Versions []struct {
				Name   string
				Served bool
			}
		}
	}
	if err := json.Unmarshal(body, &crd); err != nil {
		return fmt.Errorf("reading the definition that was made: %w", err)
	}
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		list := &request{method: http.MethodGet, path: "/apis/" + crd.Spec.Group + "/" + version.Name + "/" + crd.Spec.Names.Plural, token: s.Tokens["admin"]}
		discovery := &request{method: http.MethodGet, path: "/apis/" + crd.Spec.Group + "/" + version.Name, token: s.Tokens["admin"]}
		for try := 0; try < 100; try++ {
			listed, _, err := s.send(ctx, list)
			if err != nil {
				return err
			}
			found, body, err := s.send(ctx, discovery)
			if err != nil {
				return err
			}
			if listed.StatusCode == http.StatusOK && found.StatusCode == http.StatusOK && strings.Contains(string(body), `"`+crd.Spec.Names.Plural+`"`) {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	return nil
}

// remove removes objects, the last created one first.
func (s *Server) remove(ctx context.Context, paths []string) {
	for _, path := range slices.Backward(paths) {
		_, _, err := s.send(ctx, &request{method: http.MethodDelete, path: path, query: "gracePeriodSeconds=0&propagationPolicy=Background", token: s.Tokens["admin"]})
		if err != nil {
			return
		}
		s.forget(path)
	}
}

// forget clears the cache of resources if the removed object was a definition.
func (s *Server) forget(path string) {
	if strings.Contains(path, "/customresourcedefinitions/") {
		s.resources = nil
	}
}

// Ready reports whether the server accepts requests and has created its initial objects.
// It then creates the objects that kube-controller-manager would add.
func (s *Server) Ready(ctx context.Context) bool {
	for _, path := range []string{"/readyz", "/api/v1/namespaces/default", "/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical"} {
		response, _, err := s.send(ctx, &request{method: http.MethodGet, path: path, token: s.Tokens["admin"]})
		if err != nil || response.StatusCode != http.StatusOK {
			return false
		}
	}
	for _, namespace := range []string{"default", "kube-system"} {
		var head oracle.Head
		head.Kind, head.Metadata.Name = "Namespace", namespace
		if s.settle(ctx, head, "") != nil {
			return false
		}
	}
	return true
}
