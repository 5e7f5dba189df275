// Package jobs has functions that get all settings.
package jobs

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Env struct {
	Namespace string `env:"NAMESPACE"`
	NoChanges bool   `env:"DRY_RUN" envDefault:"true"`
}

func Pods(ctx context.Context, c client.Client, env Env) error {
	if env.NoChanges {
		return nil
	}
	return c.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(env.Namespace))
}

func Claims(ctx context.Context, c client.Client, env Env) error {
	return c.DeleteAllOf(ctx, &corev1.PersistentVolumeClaim{}, client.InNamespace(env.Namespace)) // want "dry run deletes every matching PersistentVolumeClaim"
}
