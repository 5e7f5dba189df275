// Package accepted has comments that tell another linter to accept removed versions.
package accepted

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func reasoned(ctx context.Context, cs kubernetes.Interface) error {
	//nolint:staticcheck // the edge clusters have 1.20
	_, err := cs.PolicyV1beta1().PodDisruptionBudgets("web").List(ctx, metav1.ListOptions{})
	return err
}

// A comment without a reason accepts a deprecation, but not a removal.
func unreasoned(ctx context.Context, cs kubernetes.Interface) error {
	//nolint:staticcheck // SA1019
	_, err := cs.PolicyV1beta1().PodDisruptionBudgets("web").List(ctx, metav1.ListOptions{}) // want `was removed in 1.25`
	return err
}
