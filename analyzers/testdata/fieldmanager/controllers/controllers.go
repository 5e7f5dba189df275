// Package controllers is handed its clients. // want package:"8 nameless writes"
package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Reconciler writes pods.
type Reconciler struct {
	client.Client
	Clientset kubernetes.Interface
}

// Reconcile names no manager.
func (r *Reconciler) Reconcile(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) { // want Reconcile:"reaches 5 nameless writes"
	if err := r.Create(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Status().Update(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Update(ctx, pod, client.DryRunAll); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Delete(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, pod, func() error { return nil }); err != nil {
		return ctrl.Result{}, err
	}
	_, err := r.Clientset.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return ctrl.Result{}, err
}

// Sign names one.
func (r *Reconciler) Sign(ctx context.Context, pod *corev1.Pod) error {
	return r.Update(ctx, pod, client.FieldOwner("operator"))
}

// Other is used once.
func Other(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want Other:"reaches 1 nameless writes"
	return c.Update(ctx, pod)
}

// Another is used once.
func Another(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want Another:"reaches 1 nameless writes"
	return c.Update(ctx, pod)
}

// Third is used once.
func Third(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want Third:"reaches 1 nameless writes"
	return c.Update(ctx, pod)
}
