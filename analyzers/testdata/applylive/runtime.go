package applylive

import (
	"context"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const owner = client.FieldOwner("example")

func getThenApply(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	obj.Data["a"] = "b"
	return c.Patch(ctx, obj, client.Apply, owner) // want `this apply sends obj, read from the API in line 24, with its managedFields`
}

func getThenApplyCleared(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	obj.ManagedFields = nil
	return c.Patch(ctx, obj, client.Apply, owner)
}

func clearedBySetter(ctx context.Context, c client.Client, key client.ObjectKey) error {
	var obj corev1.ConfigMap
	if err := c.Get(ctx, key, &obj); err != nil {
		return err
	}
	obj.SetManagedFields(nil)
	return c.Patch(ctx, &obj, client.Apply, owner)
}

func clearedByAccessor(ctx context.Context, c client.Client, key client.ObjectKey, obj client.Object) error {
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	accessor.SetManagedFields(nil)
	return c.Patch(ctx, obj, client.Apply, owner)
}

func clearedOnOnePath(ctx context.Context, c client.Client, key client.ObjectKey, strip bool) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	if strip {
		obj.ManagedFields = nil
	}
	return c.Patch(ctx, obj, client.Apply, owner) // want `this apply sends obj`
}

func ifNotFound(ctx context.Context, c client.Client, obj *corev1.ConfigMap) error {
	err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj)
	if apierrors.IsNotFound(err) {
		return c.Patch(ctx, obj, client.Apply, owner)
	}
	return err
}

func ifFoundFlag(ctx context.Context, c client.Client, obj *corev1.ConfigMap) error {
	found := true
	if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
		if client.IgnoreNotFound(err) != nil {
			return err
		}
		found = false
	}
	if !found {
		return c.Patch(ctx, obj, client.Apply, owner)
	}
	return nil
}

func ifNew(ctx context.Context, c client.Client, obj *corev1.ConfigMap) error {
	if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); client.IgnoreNotFound(err) != nil {
		return err
	}
	if obj.ResourceVersion == "" {
		return c.Patch(ctx, obj, client.Apply, owner)
	}
	return nil
}

func foundOrNew(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); apierrors.IsNotFound(err) {
		obj = &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: key.Name}}
	} else if err != nil {
		return err
	}
	return c.Patch(ctx, obj, client.Apply, owner) // want `this apply sends obj, read from the API in line 106`
}

func freshAfterRead(ctx context.Context, c client.Client, key client.ObjectKey) error {
	found := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, found); err != nil {
		return err
	}
	obj := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: found.Name, Namespace: found.Namespace, Labels: found.Labels, UID: found.UID},
		Data:       found.Data,
	}
	return c.Patch(ctx, obj, client.Apply, owner)
}

func metadataOfRead(ctx context.Context, c client.Client, key client.ObjectKey) error {
	found := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, found); err != nil {
		return err
	}
	obj := &corev1.ConfigMap{ObjectMeta: *found.ObjectMeta.DeepCopy()}
	return c.Patch(ctx, obj, client.Apply, owner) // want `this apply sends obj, read from the API in line 128`
}

func overwritten(ctx context.Context, c client.Client, key client.ObjectKey) error {
	var obj corev1.ConfigMap
	if err := c.Get(ctx, key, &obj); err != nil {
		return err
	}
	obj = corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: key.Name}}
	return c.Patch(ctx, &obj, client.Apply, owner)
}

func copied(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	patch := obj.DeepCopy()
	patch.Labels = map[string]string{"a": "b"}
	return c.Patch(ctx, patch, client.Apply, owner) // want `this apply sends patch`
}

func copyCleared(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	patch := obj.DeepCopyObject().(*corev1.ConfigMap)
	patch.SetManagedFields(nil)
	return c.Patch(ctx, patch, client.Apply, owner)
}

func listed(ctx context.Context, c client.Client) error {
	var list corev1.ConfigMapList
	if err := c.List(ctx, &list); err != nil {
		return err
	}
	for i := range list.Items {
		if err := c.Patch(ctx, &list.Items[i], client.Apply, owner); err != nil { // want `this apply sends list.Items\[i\]`
			return err
		}
	}
	for _, item := range list.Items {
		item.Data = nil
		if err := c.Patch(ctx, &item, client.Apply, owner); err != nil { // want `this apply sends item`
			return err
		}
	}
	for _, item := range list.Items {
		patch := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: item.Name}}
		if err := c.Patch(ctx, patch, client.Apply, owner); err != nil {
			return err
		}
	}
	return nil
}

func listedAndCleared(ctx context.Context, c client.Client) error {
	var list corev1.ConfigMapList
	if err := c.List(ctx, &list); err != nil {
		return err
	}
	for i := range list.Items {
		list.Items[i].ManagedFields = nil
		if err := c.Patch(ctx, &list.Items[i], client.Apply, owner); err != nil {
			return err
		}
	}
	return nil
}

func applyEach(ctx context.Context, c client.Client, objs []client.Object) error {
	for _, obj := range objs {
		if err := c.Patch(ctx, obj, client.Apply, owner); err != nil {
			return err
		}
	}
	return nil
}

func retried(ctx context.Context, c client.Client, obj client.Object) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return c.Patch(ctx, obj, client.Apply, owner)
	})
}

func retriedLoop(ctx context.Context, c client.Client, obj client.Object) error {
	for {
		err := c.Patch(ctx, obj, client.Apply, owner)
		if err == nil {
			return nil
		}
		fmt.Println(err)
	}
}

func createThenApply(ctx context.Context, c client.Client, obj *corev1.ConfigMap) error {
	if err := c.Create(ctx, obj); err != nil {
		if apierrors.IsAlreadyExists(err) {
			return c.Patch(ctx, obj, client.Apply, owner)
		}
		return err
	}
	return nil
}

func twice(ctx context.Context, c client.Client, obj *appsv1.Deployment) error {
	if err := c.Patch(ctx, obj, client.Apply, owner); err != nil {
		return err
	}
	obj.Status.Replicas = 1
	return c.Status().Patch(ctx, obj, client.Apply, owner) // want `this apply sends obj, returned by an earlier write in line 239`
}

func twiceWithCopy(ctx context.Context, c client.Client, obj *appsv1.Deployment) error {
	if err := c.Patch(ctx, obj.DeepCopy(), client.Apply, owner); err != nil {
		return err
	}
	return c.Status().Patch(ctx, obj, client.Apply, owner)
}

func inRetry(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := c.Get(ctx, key, obj); err != nil {
			return err
		}
		obj.Data = map[string]string{}
		return c.Patch(ctx, obj, client.Apply, owner) // want `this apply sends obj`
	})
}

func readInRetry(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return c.Get(ctx, key, obj)
	})
	if err != nil {
		return err
	}
	return c.Patch(ctx, obj, client.Apply, owner) // want `this apply sends obj`
}

func applyConfiguration(ctx context.Context, c client.Client, key client.ObjectKey) error {
	u := &unstructured.Unstructured{}
	if err := c.Get(ctx, key, u); err != nil {
		return err
	}
	return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), owner) // want `this apply sends u`
}

func applyConfigurationCleared(ctx context.Context, c client.Client, key client.ObjectKey) error {
	u := &unstructured.Unstructured{}
	if err := c.Get(ctx, key, u); err != nil {
		return err
	}
	unstructured.RemoveNestedField(u.Object, "metadata", "managedFields")
	return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), owner)
}

func otherContent(ctx context.Context, c client.Client, key client.ObjectKey) error {
	u := &unstructured.Unstructured{}
	if err := c.Get(ctx, key, u); err != nil {
		return err
	}
	desired := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": u.GetName()},
		"spec":     u.Object["spec"],
	}}
	return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(desired), owner)
}

func rawPatch(ctx context.Context, c client.Client, key client.ObjectKey, data []byte) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	return c.Patch(ctx, obj, client.RawPatch(types.ApplyPatchType, data), owner)
}

func rawPatchOfObject(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	data, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	return c.Patch(ctx, obj, client.RawPatch(types.ApplyPatchType, data), owner) // want `this apply sends`
}

func mergePatch(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	base := obj.DeepCopy()
	obj.Data = nil
	return c.Patch(ctx, obj, client.MergeFrom(base), owner)
}

func readAgain(ctx context.Context, c client.Client, key client.ObjectKey, desired *corev1.ConfigMap) error {
	for range 3 {
		if err := c.Patch(ctx, desired.DeepCopy(), client.Apply, owner); err != nil {
			return err
		}
		found := &corev1.ConfigMap{}
		if err := c.Get(ctx, key, found); err != nil {
			return err
		}
	}
	return nil
}

func contentReplaced(ctx context.Context, c client.Client, key client.ObjectKey, other *unstructured.Unstructured) error {
	u := &unstructured.Unstructured{}
	if err := c.Get(ctx, key, u); err != nil {
		return err
	}
	same := u
	if other != nil {
		same = other
	}
	same.Object = map[string]any{"metadata": map[string]any{"name": key.Name}}
	return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), owner)
}

func metadataReplaced(ctx context.Context, c client.Client, key client.ObjectKey) error {
	obj := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, obj); err != nil {
		return err
	}
	obj.ObjectMeta = metav1.ObjectMeta{Name: obj.Name, Namespace: obj.Namespace}
	return c.Patch(ctx, obj, client.Apply, owner)
}

func createOrUpdate(ctx context.Context, c client.Client, obj *appsv1.Deployment) error {
	if _, err := controllerutil.CreateOrUpdate(ctx, c, obj, func() error { return nil }); err != nil {
		return err
	}
	return c.Status().Patch(ctx, obj, client.Apply, owner) // want `this apply sends obj, returned by an earlier write`
}
