// Package controllers has reconcilers with and without dry runs.
package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Pods respects dry runs.
type Pods struct {
	Client client.Client
	DryRun bool
}

// Reconcile deletes a Pod.
func (r *Pods) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if r.DryRun {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Client.Delete(ctx, &corev1.Pod{})
}

// Claims has no dry run.
type Claims struct{ Client client.Client }

// Reconcile updates a claim and its status.
func (r *Claims) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.Client.Status().Update(ctx, &corev1.PersistentVolumeClaim{}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Client.Update(ctx, &corev1.PersistentVolumeClaim{})
}

// Watcher does not write.
type Watcher struct{ Client client.Client }

// Reconcile reads a claim.
func (r *Watcher) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Client.Get(ctx, req.NamespacedName, &corev1.PersistentVolumeClaim{})
}

// Reporter only writes statuses.
type Reporter struct{ Client client.Client }

// Reconcile updates the status of a claim.
func (r *Reporter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Client.Status().Update(ctx, &corev1.PersistentVolumeClaim{})
}
