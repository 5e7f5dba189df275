// Package named has names that contain the old version.
package named

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func listV1beta1(ctx context.Context, cs kubernetes.Interface) error {
	_, err := cs.PolicyV1beta1().PodDisruptionBudgets("web").List(ctx, metav1.ListOptions{})
	return err
}

func list(ctx context.Context, cs kubernetes.Interface) error {
	_, err := cs.PolicyV1beta1().PodDisruptionBudgets("web").List(ctx, metav1.ListOptions{}) // want `was removed`
	return err
}

type legacyClient struct{ cs kubernetes.Interface }

func (c legacyClient) list(ctx context.Context) error {
	_, err := c.cs.PolicyV1beta1().PodDisruptionBudgets("web").List(ctx, metav1.ListOptions{})
	return err
}
