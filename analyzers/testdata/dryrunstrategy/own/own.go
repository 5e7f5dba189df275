// Package own checks a strategy with methods of its own type.
package own

import (
	"context"

	"example.org/clients/dryrunstrategy/common"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Client(ctx context.Context, cs kubernetes.Interface, strategy common.DryRunStrategy) error {
	if strategy.ClientDryRun() {
		return nil
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}) // want `strategy is checked only for a client-side dry run, so a server-side dry run deletes a Pod`
}

func Both(ctx context.Context, cs kubernetes.Interface, strategy common.DryRunStrategy) error {
	if strategy.ClientOrServerDryRun() {
		return nil
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{})
}

func Server(ctx context.Context, cs kubernetes.Interface, strategy common.DryRunStrategy) error {
	if strategy.ClientDryRun() {
		return nil
	}
	var opts metav1.DeleteOptions
	if strategy.ServerDryRun() {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", opts)
}
