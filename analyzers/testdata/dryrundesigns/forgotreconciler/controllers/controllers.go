// Package controllers has reconcilers that respect their dry run.
package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Pods struct {
	client.Client
	DryRun bool
}

func (r *Pods) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if r.DryRun {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Delete(ctx, &corev1.Pod{})
}

type Nodes struct {
	client.Client
	DryRun bool
}

func (r *Nodes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if r.DryRun {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Delete(ctx, &corev1.Node{})
}

// Counter writes nothing.
type Counter struct {
	client.Client
	DryRun bool
}

func (r *Counter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.List(ctx, &corev1.PodList{})
}
