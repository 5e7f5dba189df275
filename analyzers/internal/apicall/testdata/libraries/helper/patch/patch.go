// Package patch writes through controller-runtime's client.
package patch

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Patcher writes with the client in its field.
type Patcher struct {
	client client.Client
	owner  string
}

// New returns a Patcher.
func New(c client.Client) *Patcher { return &Patcher{client: c} }

// NewOwned returns a Patcher with a field owner.
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

// Save writes with its own field owner.
func Save(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Update(ctx, obj, client.FieldOwner("saver"))
}

// SaveStatus writes the status.
func SaveStatus(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Status().Update(ctx, obj)
}

// Register stores a function that writes later. It does not write itself.
func Register(c client.Client, obj client.Object) {
	keep(func() error { return c.Update(context.Background(), obj) })
}

var kept []func() error

func keep(f func() error) { kept = append(kept, f) }

// Load only reads.
func Load(ctx context.Context, c client.Client, key client.ObjectKey, obj client.Object) error {
	return c.Get(ctx, key, obj)
}

// Option is an option of Optional.
type Option interface{ ApplyTo(*Options) }

// Options has the values of all options.
type Options struct {
	FieldOwner string
	Strict     bool
}

// WithFieldOwner sets the field owner.
type WithFieldOwner string

// ApplyTo implements Option.
func (w WithFieldOwner) ApplyTo(o *Options) { o.FieldOwner = string(w) }

// Strict does not change the field owner.
type Strict struct{}

// ApplyTo implements Option.
func (Strict) ApplyTo(o *Options) { o.Strict = true }

// Optional writes, with a field owner if an option sets it.
func (p *Patcher) Optional(ctx context.Context, obj client.Object, opts ...Option) error {
	options := &Options{}
	for _, o := range opts {
		o.ApplyTo(options)
	}
	var clientOpts []client.PatchOption
	if options.FieldOwner != "" {
		clientOpts = append(clientOpts, client.FieldOwner(options.FieldOwner))
	}
	return p.patch(ctx, obj, clientOpts)
}

// Serial passes on its options.
type Serial struct{ client client.Client }

// NewSerial returns a Serial.
func NewSerial(c client.Client) *Serial { return &Serial{c} }

// Patch creates a Patcher for each write.
func (s *Serial) Patch(ctx context.Context, obj client.Object, options ...Option) error {
	return New(s.client).Optional(ctx, obj, options...)
}

// Half ignores its options in one of its two writes.
func (s *Serial) Half(ctx context.Context, obj client.Object, options ...Option) error {
	if err := s.client.Update(ctx, obj); err != nil {
		return err
	}
	return s.client.Update(ctx, obj, client.FieldOwner("half"))
}
