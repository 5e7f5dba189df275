package applylive

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func converted(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return err
	}
	return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(&unstructured.Unstructured{Object: m}), owner) // want `this apply sends`
}

func convertedCleared(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return err
	}
	delete(m["metadata"].(map[string]any), "managedFields")
	u := &unstructured.Unstructured{Object: m}
	return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), owner)
}
