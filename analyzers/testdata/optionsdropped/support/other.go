package support

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

func change(ctx context.Context, c client.Client, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return c.Patch(ctx, obj, patch) // want `the write drops the caller's opts, so a dry run patches an object; pass them on`
}
