// Package controller is analyzed with mode=controller.
package controller

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const owner = client.FieldOwner("example")

func unforced(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Patch(ctx, obj, client.Apply, owner) // want `this apply does not force, and no code handles its conflicts`
}

func typed(ctx context.Context, cs kubernetes.Interface, cm *applycorev1.ConfigMapApplyConfiguration) error {
	_, err := cs.CoreV1().ConfigMaps("default").Apply(ctx, cm, metav1.ApplyOptions{FieldManager: "a", Force: false}) // want `this apply does not force`
	return err
}

func forced(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Patch(ctx, obj, client.Apply, owner, client.ForceOwnership)
}

func handled(ctx context.Context, c client.Client, obj client.Object) error {
	err := c.Patch(ctx, obj, client.Apply, owner)
	if apierrors.IsConflict(err) {
		return nil
	}
	return err
}

func handledByCaller(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Patch(ctx, obj, client.Apply, owner)
}

func caller(ctx context.Context, c client.Client, obj client.Object) error {
	err := handledByCaller(ctx, c, obj)
	if apierrors.ReasonForError(err) == metav1.StatusReasonConflict || apierrors.IsConflict(err) {
		return nil
	}
	return err
}

func passed(ctx context.Context, c client.Client, obj client.Object, opts ...client.PatchOption) error {
	return c.Patch(ctx, obj, client.Apply, opts...)
}
