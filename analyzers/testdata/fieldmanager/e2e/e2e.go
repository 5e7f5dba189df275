// Package e2e is in a directory for tests.
package e2e

import (
	"context"
	_ "testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func create(ctx context.Context, pod *corev1.Pod) error {
	cfg, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	cs := kubernetes.NewForConfigOrDie(cfg)
	_, err = cs.CoreV1().Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{})
	return err
}
