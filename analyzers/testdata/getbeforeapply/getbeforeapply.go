package getbeforeapply

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const owner = client.FieldOwner("example")

func createOrApply(ctx context.Context, c client.Client, desired *corev1.ConfigMap) error {
	found := &corev1.ConfigMap{}
	err := c.Get(ctx, client.ObjectKeyFromObject(desired), found) // want `this read only decides how the ConfigMap is written in line 25`
	if apierrors.IsNotFound(err) {
		return c.Create(ctx, desired)
	}
	if err != nil {
		return err
	}
	return c.Patch(ctx, desired, client.Apply, owner)
}

func ignored(ctx context.Context, c client.Client, desired *corev1.ConfigMap) error {
	if err := c.Get(ctx, client.ObjectKeyFromObject(desired), &corev1.ConfigMap{}); client.IgnoreNotFound(err) != nil { // want `this read only decides`
		return err
	}
	return c.Patch(ctx, desired, client.Apply, owner)
}

func typed(ctx context.Context, cs kubernetes.Interface) error {
	_, err := cs.CoreV1().ConfigMaps("default").Get(ctx, "a", metav1.GetOptions{}) // want `this read only decides how the ConfigMap is written`
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	_, err = cs.CoreV1().ConfigMaps("default").Apply(ctx, applycorev1.ConfigMap("a", "default"), metav1.ApplyOptions{FieldManager: "example"})
	return err
}

func onlyMissing(ctx context.Context, c client.Client, desired *corev1.ConfigMap) error {
	err := c.Get(ctx, client.ObjectKeyFromObject(desired), &corev1.ConfigMap{})
	if apierrors.IsNotFound(err) {
		return c.Patch(ctx, desired, client.Apply, owner)
	}
	return err
}

func onlyExisting(ctx context.Context, c client.Client, desired *corev1.ConfigMap) error {
	if err := c.Get(ctx, client.ObjectKeyFromObject(desired), &corev1.ConfigMap{}); err != nil {
		return err
	}
	return c.Patch(ctx, desired, client.Apply, owner)
}

func looked(ctx context.Context, c client.Client, desired *corev1.ConfigMap) error {
	found := &corev1.ConfigMap{}
	if err := c.Get(ctx, client.ObjectKeyFromObject(desired), found); client.IgnoreNotFound(err) != nil {
		return err
	}
	if found.Immutable != nil {
		return nil
	}
	return c.Patch(ctx, desired, client.Apply, owner)
}

func otherKind(ctx context.Context, c client.Client, key client.ObjectKey, desired *corev1.ConfigMap) error {
	if err := c.Get(ctx, key, &corev1.Secret{}); client.IgnoreNotFound(err) != nil {
		return err
	}
	return c.Patch(ctx, desired, client.Apply, owner)
}

func cleared(ctx context.Context, c client.Client, key client.ObjectKey) error {
	found := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, found); err != nil {
		return err
	}
	found.ManagedFields = nil
	return c.Patch(ctx, found, client.Apply, owner) // want `this apply sends found, which was read before, and so takes over every field in it`
}

// The rule applylive reports this apply.
func uncleared(ctx context.Context, c client.Client, key client.ObjectKey) error {
	found := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, found); err != nil {
		return err
	}
	return c.Patch(ctx, found, client.Apply, owner)
}
