// Package pods gets its client from the program. // want package:"1 writes, 0 clients, 0 names"
package pods

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Updater updates pods.
type Updater struct{ Client kubernetes.Interface }

// Update names no manager.
func (u *Updater) Update(ctx context.Context, pod *corev1.Pod) error { // want Update:"reaches 1 sites"
	_, err := u.Client.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return err
}
