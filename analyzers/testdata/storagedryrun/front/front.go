// Package front has storage with a service that is a field without a pointer.
package front

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"

	"example.org/clients/storagedryrun/service"
)

type rules struct{ service service.Rules }

func (s *rules) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) { // want `Create ignores its options, so a dry run calls service.CreateRule;`
	return obj, s.service.CreateRule(ctx, "x")
}

func (s *rules) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) { // want `Delete ignores its options, so a dry run calls service.DeleteToken;`
	return nil, true, s.service.DeleteToken(ctx, name)
}

type tokens struct{ service *service.Rules }

func (s *tokens) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	return obj, s.service.CreateToken(ctx, "x")
}

// made creates a service for each request.
type made struct{}

func (s *made) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	draft := &service.Rules{}
	return obj, draft.CreateRule(ctx, "x")
}

// closing stores its service in a variable that a literal captures.
type closing struct{ service *service.Rules }

func (s closing) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) { // want `Create ignores its options, so a dry run calls Rules.CreateRule;`
	backend := s.service
	err := func() error { return backend.CreateRule(ctx, "x") }()
	return obj, err
}

// clients stores records of clients.
type clients struct{ service *service.Rules }

func (s *clients) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) { // want `Create ignores its options, so a dry run calls service.CreateClient;`
	return obj, s.service.CreateClient(service.Client{Name: "x"})
}

// using creates a client for each request.
type using struct{ service *service.Rules }

func (s *using) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	_, err := s.service.CreateRuleClient(ctx)
	return obj, err
}
