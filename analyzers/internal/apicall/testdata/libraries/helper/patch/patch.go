// Package patch writes through controller-runtime's client.
package patch

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Patcher writes with the client that it was made with.
type Patcher struct {
	client client.Client
	owner  string
}

// New makes a Patcher.
func New(c client.Client) *Patcher { return &Patcher{client: c} }

// NewOwned makes a Patcher that signs.
func NewOwned(c client.Client, owner string) *Patcher { return &Patcher{client: c, owner: owner} }

// Patch writes with the caller's options.
func (p *Patcher) Patch(ctx context.Context, obj client.Object, opts ...client.PatchOption) error {
	return p.patch(ctx, obj, opts)
}

func (p *Patcher) patch(ctx context.Context, obj client.Object, opts []client.PatchOption) error {
	return p.client.Patch(ctx, obj, client.Merge, opts...)
}

// Replace writes without options.
func (p *Patcher) Replace(ctx context.Context, obj client.Object) error {
	return run(func() error { return p.client.Update(ctx, obj) })
}

func run(f func() error) error { return f() }

// Signed writes with the owner of the Patcher.
func (p *Patcher) Signed(ctx context.Context, obj client.Object) error {
	return p.client.Update(ctx, obj, client.FieldOwner(p.owner))
}

// Save writes and signs with a name of its own.
func Save(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Update(ctx, obj, client.FieldOwner("saver"))
}

// SaveStatus writes the status.
func SaveStatus(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Status().Update(ctx, obj)
}

// Register keeps a function that writes for later: it writes nothing itself.
func Register(c client.Client, obj client.Object) {
	keep(func() error { return c.Update(context.Background(), obj) })
}

var kept []func() error

func keep(f func() error) { kept = append(kept, f) }

// Load reads.
func Load(ctx context.Context, c client.Client, key client.ObjectKey, obj client.Object) error {
	return c.Get(ctx, key, obj)
}
