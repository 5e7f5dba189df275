// Package support holds what tests of other packages use, beside other things.
package support

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// NewClient returns a client that needs no server.
func NewClient() client.Client { return fake.NewClientBuilder().Build() }

// Apply patches with what a fake client understands.
func Apply(ctx context.Context, c client.Client, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return c.Patch(ctx, obj, patch)
}
