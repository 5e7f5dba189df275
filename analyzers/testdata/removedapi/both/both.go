// Package both uses the version that the server serves.
package both

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func remove(ctx context.Context, cs kubernetes.Interface) error {
	err := cs.PolicyV1().PodDisruptionBudgets("web").Delete(ctx, "web", metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		return cs.PolicyV1beta1().PodDisruptionBudgets("web").Delete(ctx, "web", metav1.DeleteOptions{})
	}
	return err
}
