// Package hooks passes requests to handlers in a list.
package hooks

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Func answers a request. It returns nil if it has no objection.
type Func func(ctx context.Context, req admission.Request) *admission.Response

// Handler makes functions that answer requests.
type Handler interface {
	OnCreate(c client.Client) Func
	OnDelete(c client.Client) Func
}

// List asks all its handlers.
type List struct{ Handlers []Handler }

// OnCreate calls functions that handlers make. They have findings of their own.
func (l *List) OnCreate(c client.Client) Func {
	return func(ctx context.Context, req admission.Request) *admission.Response {
		for _, h := range l.Handlers {
			if response := h.OnCreate(c)(ctx, req); response != nil {
				return response
			}
		}
		return nil
	}
}

// OnDelete calls functions that handlers make.
func (l *List) OnDelete(c client.Client) Func {
	return func(ctx context.Context, req admission.Request) *admission.Response {
		for _, h := range l.Handlers {
			if response := h.OnDelete(c)(ctx, req); response != nil {
				return response
			}
		}
		return nil
	}
}
