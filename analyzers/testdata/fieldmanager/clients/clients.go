// Package clients builds several clients in one function. // want package:"1 writes, 2 clients, 0 names"
package clients

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Services are the clients of a program.
type Services struct {
	Clientset kubernetes.Interface
	Dynamic   dynamic.Interface
}

// New builds the clients.
func New(cfg *rest.Config) (*Services, error) { // want New:"reaches 2 sites"
	cs, dyn, err := build(cfg)
	if err != nil {
		return nil, err
	}
	return &Services{Clientset: cs, Dynamic: dyn}, nil
}

func build(cfg *rest.Config) (kubernetes.Interface, dynamic.Interface, error) {
	cs, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return nil, nil, err
	}
	dyn, err := dynamic.NewForConfig(cfg)
	return cs, dyn, err
}

// Remember writes a Pod.
func (s *Services) Remember(ctx context.Context, pod *corev1.Pod) error { // want Remember:"reaches 1 sites"
	_, err := s.Clientset.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{})
	return err
}
