// Package convert is another package of the module.
package convert

import (
	"context"
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func ToUnstructured(obj any) (*unstructured.Unstructured, error) {
	b, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	if err := json.Unmarshal(b, u); err != nil {
		return nil, err
	}
	return u, nil
}

func Strip(obj client.Object) { clear(obj) }

func clear(obj client.Object) { obj.SetManagedFields(nil) }

func Label(obj client.Object) { obj.SetLabels(map[string]string{"a": "b"}) }

func Apply(ctx context.Context, c client.Client, obj client.Object) error {
	return c.Patch(ctx, obj, client.Apply, client.FieldOwner("example"))
}

func ApplyClean(ctx context.Context, c client.Client, obj client.Object) error {
	obj.SetManagedFields(nil)
	return Apply(ctx, c, obj)
}
