// Package wrapper wraps clients.
package wrapper

import (
	"context"
	"net/http/httptest"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type logging struct{ client.Client }

func (l *logging) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	return l.Client.Create(ctx, obj) // want `the write drops the caller's opts, so a dry run creates an object; pass them on`
}

func (l *logging) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	return l.Client.Update(ctx, obj, opts...)
}

func (l *logging) Delete(ctx context.Context, obj client.Object, opts ...client.DeleteOption) error {
	if err := l.Client.Update(ctx, obj); err != nil { // an option for another verb
		return err
	}
	return l.Client.Delete(ctx, obj, append(opts, client.GracePeriodSeconds(1))...)
}

// Nil options ask for no dry run.
func remove(ctx context.Context, c client.Client, obj client.Object, opts *client.DeleteOptions) error {
	if opts != nil {
		return c.Delete(ctx, obj, opts)
	}
	return c.Delete(ctx, obj)
}

// recorder replaces a client in tests.
type recorder struct {
	c      client.Client
	server *httptest.Server
}

func (r *recorder) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return r.c.Create(ctx, obj)
}

// FakeWriter is named like a test double, but is none.
type FakeWriter struct{ c client.Client }

func (f *FakeWriter) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return f.c.Create(ctx, obj) // want `the write drops the caller's opts`
}

// partial is for tests, which call only some of its methods.
type partial struct{ c client.Client }

func (p partial) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	return p.c.Create(ctx, obj)
}

func (p partial) Delete(context.Context, client.Object, ...client.DeleteOption) error {
	panic("implement me")
}

func (p partial) Get(context.Context, client.ObjectKey, client.Object) error { panic("implement me") }

// strict has one method that must not be called.
type strict struct{ c client.Client }

func (s strict) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	return s.c.Create(ctx, obj) // want `the write drops the caller's opts`
}

func (s strict) Delete(context.Context, client.Object, ...client.DeleteOption) error {
	panic("nothing is deleted here")
}
