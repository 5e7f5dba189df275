// Command realclients chooses the client of one reconciler by the dry run.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type pods struct{ client.Client }

func (r *pods) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Delete(ctx, &corev1.Pod{})
}

type nodes struct {
	client.Client
	reader client.Reader
}

func (r *nodes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Delete(ctx, &corev1.Node{})
}

type jobs struct {
	client.Client
	reader client.Reader
}

func (r *jobs) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Delete(ctx, &corev1.Secret{})
}

type secrets struct{ client.Client }

func (r *secrets) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Delete(ctx, &corev1.Secret{})
}

type status struct{ client.Client }

func (r *status) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Status().Update(ctx, &corev1.Node{})
}

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	mgr, err := ctrl.NewManager(nil, ctrl.Options{})
	if err != nil {
		return
	}
	c := mgr.GetClient()
	if *dryRun {
		c = client.NewDryRunClient(c)
	}
	_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(&pods{c})
	_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).Complete(&nodes{Client: mgr.GetClient(), reader: mgr.GetClient()}) // want "nodes gets the real client as its Client, unlike pods, so a dry run deletes a Node; pass the client for dry runs, unless the dry run is not for this reconciler"
	_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).Complete(&jobs{Client: c, reader: mgr.GetClient()})
	_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).Complete(&status{mgr.GetClient()})
	if !*dryRun {
		_ = ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).Complete(&secrets{mgr.GetClient()})
	}
}
