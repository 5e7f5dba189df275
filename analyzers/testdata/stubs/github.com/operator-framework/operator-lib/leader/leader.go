// Package leader has the shape of a function that becomes the leader. Written by hand.
package leader

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Become(ctx context.Context, lockName string) error {
	c, err := client.New(nil, client.Options{})
	if err != nil {
		return err
	}
	return c.Create(ctx, &corev1.ConfigMap{})
}
