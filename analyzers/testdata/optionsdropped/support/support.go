// Package support has functions for tests of other packages, and other functions.
package support

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// NewClient returns a client without a server.
func NewClient() client.Client { return fake.NewClientBuilder().Build() }

// Apply patches in a way that a fake client supports.
func Apply(ctx context.Context, c client.Client, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return c.Patch(ctx, obj, patch)
}
