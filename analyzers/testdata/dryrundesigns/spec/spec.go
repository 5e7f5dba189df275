// Package spec has reconcilers of an object whose spec asks for a dry run. One path to a write ignores the spec.
package spec

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.org/clients/dryrundesigns/spec/api"
)

type Reconciler struct{ client.Client }

func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var w api.Workload
	if err := r.Get(ctx, req.NamespacedName, &w); err != nil {
		return reconcile.Result{}, err
	}
	w.Finalizers = append(w.Finalizers, "example.org/clean")
	if err := r.Update(ctx, &w); err != nil {
		return reconcile.Result{}, err
	}
	if w.Status.Phase == "" {
		w.Status.Phase = "Running"
		return reconcile.Result{}, r.Status().Update(ctx, &w)
	}
	if err := r.drift(ctx, &w); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.automate(ctx, &w, w.Spec.DryRun)
}

func (r *Reconciler) drift(ctx context.Context, w *api.Workload) error {
	if w.Spec.Policy == nil {
		return nil
	}
	return r.Update(ctx, &corev1.Service{}) // want "dry run updates a Service"
}

func (r *Reconciler) automate(ctx context.Context, w *api.Workload, dryRun bool) error {
	if dryRun {
		w.Status.Plan = "delete"
		return r.Status().Update(ctx, w)
	}
	return r.Delete(ctx, &corev1.Pod{})
}

// Careful checks the spec first.
type Careful struct{ client.Client }

func (r *Careful) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var w api.Workload
	if err := r.Get(ctx, req.NamespacedName, &w); err != nil {
		return reconcile.Result{}, err
	}
	if w.Spec.DryRun {
		return reconcile.Result{}, nil
	}
	if err := r.Update(ctx, &corev1.Service{}); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.Delete(ctx, &corev1.Pod{})
}
