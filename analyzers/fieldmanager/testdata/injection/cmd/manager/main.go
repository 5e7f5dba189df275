// Command manager has writes only in a generated reconciler.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"knative.dev/pkg/injection/sharedmain"

	"example.org/shop/client/reconciler/pod"
)

func main() {
	sharedmain.MainWithContext(context.Background(), "manager", newController) // want `the API server records 1 write of this program, in generated code, under the field manager "manager", the name of the binary, which other programs share: set UserAgent in the configuration, for example with sharedmain.MainWithConfig`
}

func newController(ctx context.Context) error {
	return pod.NewImpl(ctx, reconciler{}).Reconcile(ctx, "web")
}

type reconciler struct{}

// ReconcileKind writes nothing itself.
func (reconciler) ReconcileKind(ctx context.Context, pod *corev1.Pod) error { return nil }
