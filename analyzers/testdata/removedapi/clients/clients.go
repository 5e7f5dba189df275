// Package clients uses typed clients and listers.
package clients

import (
	"context"

	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func list(ctx context.Context, cs kubernetes.Interface) error {
	_, err := cs.PolicyV1beta1().PodDisruptionBudgets("web").List(ctx, metav1.ListOptions{}) // want `policy/v1beta1 PodDisruptionBudget was removed in 1.25; use policy/v1 PodDisruptionBudget \(call PolicyV1\(\)\)`
	return err
}

// The type follows from the client.
func create(ctx context.Context, cs kubernetes.Interface) error {
	budgets := cs.PolicyV1beta1().PodDisruptionBudgets("web") // want `was removed in 1.25`
	_, err := budgets.Create(ctx, &policyv1beta1.PodDisruptionBudget{}, metav1.CreateOptions{})
	return err
}

func evict(ctx context.Context, cs kubernetes.Interface) error {
	return cs.PolicyV1beta1().Evictions("web").Evict(ctx, &policyv1beta1.Eviction{})
}

func pods(ctx context.Context, cs kubernetes.Interface) error {
	_, err := cs.CoreV1().Pods("web").List(ctx, metav1.ListOptions{})
	return err
}
