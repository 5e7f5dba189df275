// Package generics has functions with type parameters.
package generics

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Options struct{ DryRun bool }

func Ensure[T client.Object](ctx context.Context, c client.Client, obj T, o Options) error {
	err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj)
	if apierrors.IsNotFound(err) {
		if o.DryRun {
			return nil
		}
		return c.Create(ctx, obj)
	}
	return c.Update(ctx, obj) // want "dry run updates an object"
}

func Pods(ctx context.Context, c client.Client, dryRun bool) error {
	return Ensure(ctx, c, &corev1.Pod{}, Options{DryRun: dryRun})
}
