// Package readonly has a client that changes nothing, except for some of its methods.
package readonly

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

func New(c client.Client) client.Client { return &readOnly{Reader: c, real: c, Client: c} }

type readOnly struct {
	client.Reader
	client.Client
	real client.Client
}

func (r *readOnly) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	return r.Reader.Get(ctx, key, o, opts...)
}

func (r *readOnly) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	return r.Reader.List(ctx, list, opts...)
}

func (r *readOnly) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	return nil
}

func (r *readOnly) Update(ctx context.Context, o client.Object, opts ...client.UpdateOption) error {
	return nil
}

func (r *readOnly) Patch(ctx context.Context, o client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return nil
}

func (r *readOnly) Delete(ctx context.Context, o client.Object, opts ...client.DeleteOption) error {
	return nil
}

func (r *readOnly) Status() client.SubResourceWriter { return r.real.Status() }

// Traced returns a client that only logs. It is no client for dry runs.
func Traced(c client.Client) client.Client { return &traced{c} }

type traced struct{ client.Client }

func (t *traced) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	println("create")
	return t.Client.Create(ctx, o, opts...)
}
