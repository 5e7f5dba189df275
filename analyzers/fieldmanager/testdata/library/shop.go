// Package shop builds its own client. // want package:"3 writes, 3 clients, 0 names"
package shop

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Open writes through a client that its caller cannot configure.
func Open(ctx context.Context, pod *corev1.Pod) error { // want Open:"reaches 3 sites"
	cfg, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	cs, err := kubernetes.NewForConfig(cfg) // want `the API server records 2 writes of this library under the name of the binary that uses it, which is not known here: set UserAgent in its configuration`
	if err != nil {
		return err
	}
	if _, err := cs.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	_, err = cs.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

// Given builds a client whose user agent the caller chooses.
func Given(ctx context.Context, cfg *rest.Config, pod *corev1.Pod) error { // want Given:"reaches 2 sites"
	cs, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	_, err = cs.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{})
	return err
}

// List only reads.
func List(ctx context.Context) error { // want List:"reaches 1 sites"
	cs := kubernetes.NewForConfigOrDie(&rest.Config{Host: "shop"})
	_, err := cs.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	return err
}
