// Package res creates objects. Only channels respect the dry run.
package res

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.org/clients/dryrundesigns/short/client"
)

// Secrets creates a Secret.
func Secrets(set *client.Set) error {
	_, err := set.Core.CoreV1().Secrets("a").Create(context.Background(), &corev1.Secret{}, metav1.CreateOptions{})
	return err
}

// Channel creates a ConfigMap.
func Channel(set *client.Set) error {
	if client.Dry {
		return nil
	}
	_, err := set.Core.CoreV1().ConfigMaps("a").Create(context.Background(), &corev1.ConfigMap{}, metav1.CreateOptions{})
	return err
}
