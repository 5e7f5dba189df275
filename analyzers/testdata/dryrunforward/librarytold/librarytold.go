// Package librarytold hands the wish to a library that writes, and writes
// besides.
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

// Printer only shows the wish: whoever makes its client has thought of it.
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

// A helper that all of the package shares is not followed.
var common resource.Helper

func (p Printer) Share() { common.ServerDryRun = p.DryRun }
