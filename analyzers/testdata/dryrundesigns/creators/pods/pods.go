// Package pods returns a type that is no client for dry runs.
package pods

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"example.org/clients/dryrundesigns/creators"
)

type pods struct{ cs kubernetes.Interface }

// New returns a Creator of pods.
func New(cs kubernetes.Interface) creators.Creator { return &pods{cs} }

func (p *pods) Create(name string) error {
	_, err := p.cs.CoreV1().Pods("web").Create(context.Background(), &corev1.Pod{}, metav1.CreateOptions{})
	return err
}
