package clients

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Seed is for tests. The package still does not count as test code.
func (s *Services) Seed(t *testing.T) {
	if _, err := s.Clientset.CoreV1().Pods("default").Create(context.Background(), &corev1.Pod{}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}
