// Package librarytold passes the dry run to a library that writes, and also writes
// itself.
package librarytold

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/resource"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Remover struct {
	Client  client.Client
	REST    resource.RESTClient
	Mapping *meta.RESTMapping
	DryRun  bool
}

func (r Remover) Remove(ctx context.Context) error {
	dryRun := r.DryRun
	h := resource.NewHelper(r.REST, r.Mapping)
	h.ServerDryRun = dryRun
	if _, err := h.Delete("default", "web"); err != nil {
		return err
	}
	return drop(ctx, r.Client)
}

func drop(ctx context.Context, c client.Client) error {
	return c.Delete(ctx, &corev1.Secret{}) // want `the write does not get r.DryRun from Remove, so a dry run deletes a Secret`
}

// Printer only prints the dry run. The creator of its client has to respect the dry run.
type Printer struct {
	Client client.Client
	DryRun bool
}

type shown struct{ DryRun bool }

func (p Printer) Remove(ctx context.Context) (shown, error) {
	var s shown
	s.DryRun = p.DryRun
	return s, p.Client.Delete(ctx, &corev1.Secret{})
}

// The analysis does not follow a helper that the whole package shares.
var common resource.Helper

func (p Printer) Share() { common.ServerDryRun = p.DryRun }

// Options has generated methods, but no API object contains it.
type Options struct {
	Name   string
	DryRun bool
}

func (o *Options) DeepCopyInto(out *Options) { *out = *o }

// Kit has the clients for writes.
type Kit struct {
	Client  client.Client
	REST    resource.RESTClient
	Mapping *meta.RESTMapping
}

// Replace passes the dry run to the library in another function. It has to respect the dry run in its other writes.
func Replace(ctx context.Context, r Kit, o *Options) error {
	h := resource.NewHelper(r.REST, r.Mapping)
	merge(o, h)
	if err := definitions(ctx, r.Client); err != nil {
		return err
	}
	if !o.DryRun {
		if err := settings(ctx, r.Client); err != nil {
			return err
		}
	}
	_, err := h.Delete("default", o.Name)
	return err
}

func merge(o *Options, h *resource.Helper) {
	h.ServerDryRun = o.DryRun
}

func definitions(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &corev1.ConfigMap{}) // want `the write does not get o.DryRun from Replace, so a dry run creates a ConfigMap`
}

func settings(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &corev1.Secret{})
}

// Migrate does not use the library. Its callers check the dry run.
func Migrate(ctx context.Context, r Kit, o *Options) error {
	return r.Client.Update(ctx, &corev1.ConfigMap{})
}
