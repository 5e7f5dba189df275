// Command webhook uses the reconciler's interface, but does not run the reconciler.
package main

import (
	"context"

	"knative.dev/pkg/injection/sharedmain"

	"example.org/shop/client/reconciler/pod"
)

func main() {
	var defaulter pod.Interface
	sharedmain.MainWithContext(context.Background(), "webhook", func(ctx context.Context) error {
		return defaulter.ReconcileKind(ctx, nil)
	})
}
