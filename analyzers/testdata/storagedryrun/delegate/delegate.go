// Package delegate has storage that uses other storage.
package delegate

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// embedded has all methods from the store.
type embedded struct{ *genericregistry.Store }

func (s *embedded) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	return s.Store.Create(ctx, obj, validate, options)
}

func (s *embedded) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) { // want `Delete ignores its options, so a dry run calls Store.Delete; pass options on`
	return s.Store.Delete(ctx, name, validate, &metav1.DeleteOptions{})
}

// status is the storage of a subresource.
type status struct{ store rest.StandardStorage }

func (s *status) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc, update rest.ValidateObjectUpdateFunc, force bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return s.store.Update(ctx, name, info, create, update, false, options)
}
