// Package controller has reconcilers that another package creates.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	ctrl "sigs.k8s.io/controller-runtime"
)

type PodReconciler struct {
	client.Client
	DryRun bool
}

func (r *PodReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Pod{}).Complete(r)
}

func (r *PodReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Spec.NodeName == "" {
		return reconcile.Result{}, r.mark(ctx, &pod)
	}
	return reconcile.Result{}, r.evict(ctx, &pod)
}

func (r *PodReconciler) mark(ctx context.Context, pod *corev1.Pod) error {
	pod.Labels["pending"] = "true"
	return r.Update(ctx, pod) // want "dry run updates a Pod"
}

func (r *PodReconciler) evict(ctx context.Context, pod *corev1.Pod) error {
	if r.DryRun {
		return nil
	}
	return r.Delete(ctx, pod)
}

type Options struct{ DryRun bool }

type NodeReconciler struct {
	client.Client
	Options Options
}

func (r *NodeReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.Node{}).Complete(r)
}

func (r *NodeReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var node corev1.Node
	if err := r.Get(ctx, req.NamespacedName, &node); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods); err != nil {
		return reconcile.Result{}, err
	}
	for i := range pods.Items {
		if r.Options.DryRun {
			continue
		}
		if err := r.Delete(ctx, &pods.Items[i]); err != nil {
			return reconcile.Result{}, err
		}
	}
	node.Spec.Unschedulable = true
	return reconcile.Result{}, r.Update(ctx, &node) // want "dry run updates a Node"
}
