// Command reconciling gives its settings to a reconciler, and no code reads the dry run.
package main

import (
	"context"
	"os"

	"example.org/clients/dryrundesigns/forgotten/config"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client.Client
	cfg *config.Config
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	pod.Namespace = r.cfg.Namespace
	return ctrl.Result{}, r.Delete(ctx, pod) // want "the write ignores r.cfg.DryRun, so a dry run deletes a Pod"
}

func main() {
	cfg, err := config.Load(os.Args[1])
	if err != nil {
		panic(err)
	}
	mgr, err := ctrl.NewManager(nil, ctrl.Options{})
	if err != nil {
		panic(err)
	}
	r := &reconciler{mgr.GetClient(), cfg}
	if err := ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(r); err != nil {
		panic(err)
	}
}
