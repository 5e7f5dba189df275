// Package v1 is a client as client-gen generated it before client-go 0.18.
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// PodInterface is the client of Pods.
type PodInterface interface {
	Create(*corev1.Pod) (*corev1.Pod, error)
	Update(*corev1.Pod) (*corev1.Pod, error)
	UpdateStatus(*corev1.Pod) (*corev1.Pod, error)
	Delete(name string, options *metav1.DeleteOptions) error
	DeleteCollection(options *metav1.DeleteOptions, listOptions metav1.ListOptions) error
	Get(name string, options metav1.GetOptions) (*corev1.Pod, error)
	Patch(name string, pt types.PatchType, data []byte, subresources ...string) (*corev1.Pod, error)
	Bind(binding *corev1.Binding) error
	Evaluate(*corev1.Pod) (*corev1.Pod, error)
}
