// Package store writes through the client that it is given.
package store

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Save updates a Pod.
func Save(ctx context.Context, cs kubernetes.Interface, pod *corev1.Pod) error {
	_, err := cs.CoreV1().Pods(pod.Namespace).Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

// Keep holds a comment that suppresses nothing.
func Keep() {} //kubevet:ignore fieldmanager -- there is no write
