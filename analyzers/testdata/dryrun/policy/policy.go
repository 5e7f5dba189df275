// Package policy writes in all ways that the analyzer knows.
package policy

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func Typed(ctx context.Context, cs kubernetes.Interface, opts metav1.CreateOptions) error {
	if _, err := cs.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, opts); err != nil {
		return err
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}) // want `this call deletes a Pod and cannot run as a dry run; take DryRun of its options from the caller`
}

func Dynamic(ctx context.Context, d dynamic.ResourceInterface, dryRun []string) error {
	if err := d.Delete(ctx, "p", metav1.DeleteOptions{DryRun: dryRun}); err != nil {
		return err
	}
	return d.Delete(ctx, "p", metav1.DeleteOptions{}) // want `this call deletes an object and cannot run as a dry run`
}

func Runtime(ctx context.Context, c client.Client, opts ...client.DeleteOption) error {
	if err := c.Delete(ctx, &corev1.Pod{}, opts...); err != nil {
		return err
	}
	if err := c.Delete(ctx, &corev1.Pod{}, client.DryRunAll); err != nil {
		return err
	}
	if _, err := controllerutil.CreateOrUpdate(ctx, c, &corev1.Pod{}, nil); err != nil { // want `this call creates or updates a Pod and cannot run as a dry run; use client.NewDryRunClient`
		return err
	}
	return c.Status().Update(ctx, &corev1.Pod{}) // want `this call updates the status of a Pod and cannot run as a dry run; take options from the caller, or pass client.DryRunAll`
}

func Guarded(ctx context.Context, c client.Client, dryRun bool) error {
	if dryRun {
		return nil
	}
	return c.Update(ctx, &corev1.Pod{})
}
