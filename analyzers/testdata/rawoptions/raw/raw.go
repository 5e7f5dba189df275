// Package raw replaces the options of its callers.
package raw

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Value(ctx context.Context, cs kubernetes.Interface, dryRun bool, options metav1.DeleteOptions) error {
	if dryRun {
		options = metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}} // want `the dry run replaces options, so the caller's other options are lost \(GracePeriodSeconds, Preconditions, OrphanDependents\); set only options.DryRun`
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", options)
}

func Pointer(ctx context.Context, c client.Client, obj client.Object, dryRun bool, options *client.CreateOptions) error {
	if dryRun {
		options = &client.CreateOptions{DryRun: []string{metav1.DryRunAll}} // want `the dry run replaces options, so the caller's other options are lost \(FieldManager`
	}
	return c.Create(ctx, obj, options)
}

func Kept(ctx context.Context, cs kubernetes.Interface, dryRun bool, options metav1.DeleteOptions) error {
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", options)
}

func Copied(ctx context.Context, cs kubernetes.Interface, dryRun bool, options metav1.DeleteOptions) error {
	if dryRun {
		options = metav1.DeleteOptions{Preconditions: options.Preconditions, DryRun: []string{metav1.DryRunAll}}
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", options)
}

func Own(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	options := metav1.DeleteOptions{}
	if dryRun {
		options = metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", options)
}
