// Package resource has the shape of Crossplane's applicators, whose method
// Apply is no server-side apply. Written by hand.
package resource

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type ApplyOption func(ctx context.Context, current, desired runtime.Object) error

func UpdateFn(fn func(current, desired runtime.Object)) ApplyOption { panic("stub") }

type Applicator interface {
	Apply(ctx context.Context, obj client.Object, o ...ApplyOption) error
}

type ClientApplicator struct {
	client.Client
	Applicator
}

type APIPatchingApplicator struct{}

func NewAPIPatchingApplicator(c client.Client) *APIPatchingApplicator { panic("stub") }

func (a *APIPatchingApplicator) Apply(ctx context.Context, o client.Object, ao ...ApplyOption) error {
	panic("stub")
}

type APIUpdatingApplicator struct{}

func NewAPIUpdatingApplicator(c client.Client) *APIUpdatingApplicator { panic("stub") }

func (a *APIUpdatingApplicator) Apply(ctx context.Context, o client.Object, ao ...ApplyOption) error {
	panic("stub")
}
