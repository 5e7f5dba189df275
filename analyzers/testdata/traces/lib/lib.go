// Package lib writes to the API.
package lib

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// FieldOwner is a field manager.
const FieldOwner = "traces-lib"

// Write writes and reads.
func Write(ctx context.Context, cs kubernetes.Interface) {
	_, _ = cs.CoreV1().ConfigMaps("").Create(ctx, &corev1.ConfigMap{}, metav1.CreateOptions{FieldManager: FieldOwner})
	_, _ = cs.PolicyV1beta1().PodDisruptionBudgets("").List(ctx, metav1.ListOptions{})
}

// Apply uses another field manager.
func Apply(ctx context.Context, c client.Client, title string) error {
	return c.Update(ctx, &corev1.Secret{}, client.FieldOwner("traces-runtime"))
}
