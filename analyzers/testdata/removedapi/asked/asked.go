// Package asked asks the server for the version before it uses the version.
package asked

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func budgets(ctx context.Context, cs kubernetes.Interface, versions []string) error {
	for _, v := range versions {
		if v == "policy/v1beta1" {
			_, err := cs.PolicyV1beta1().PodDisruptionBudgets("web").List(ctx, metav1.ListOptions{})
			return err
		}
	}
	return nil
}
