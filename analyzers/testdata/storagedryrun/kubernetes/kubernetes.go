// Package kubernetes has storage that stores objects in other Kubernetes APIs.
package kubernetes

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/dynamic"
	clients "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type storage struct{ c client.Client }

func (s *storage) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	secret := &corev1.Secret{}
	return obj, s.c.Create(ctx, secret, &client.CreateOptions{Raw: options})
}

func (s *storage) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc, update rest.ValidateObjectUpdateFunc, force bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) { // want `^Update ignores its options, so a dry run updates a Secret; pass options on$`
	if force {
		obj, err := s.Create(ctx, nil, create, &metav1.CreateOptions{})
		return obj, true, err
	}
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return s.c.Update(ctx, &corev1.Secret{}, &client.UpdateOptions{Raw: &metav1.UpdateOptions{}})
	})
	return nil, false, err
}

func (s *storage) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	return nil, true, s.c.Delete(ctx, &corev1.Secret{}, &client.DeleteOptions{Raw: options})
}

func (s *storage) DeleteCollection(ctx context.Context, validate rest.ValidateObjectFunc, _ *metav1.DeleteOptions, list *internalversion.ListOptions) (runtime.Object, error) { // want `DeleteCollection ignores its options, so a dry run deletes every matching Secret; pass them on`
	return nil, s.c.DeleteAllOf(ctx, &corev1.Secret{})
}

type typed struct{ cs clients.Interface }

func (s *typed) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) { // want `Create ignores its options, so a dry run creates a ConfigMap;`
	return s.cs.CoreV1().ConfigMaps("x").Create(ctx, &corev1.ConfigMap{}, metav1.CreateOptions{})
}

func (s *typed) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	return nil, true, s.cs.CoreV1().ConfigMaps("x").Delete(ctx, name, *options)
}

// through creates its own options. It writes through a method that passes its
// options on.
type through struct{ storage }

func (s *through) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) { // want `Create ignores its options, so a dry run creates a Secret \(in Create\);`
	return s.storage.Create(ctx, obj, validate, &metav1.CreateOptions{})
}

// access stores nothing.
type access struct{ cs clients.Interface }

func (s *access) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	return s.cs.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{}, metav1.CreateOptions{})
}

type untyped struct{ r dynamic.ResourceInterface }

func (s *untyped) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) { // want `Delete ignores its options, so a dry run deletes an object`
	return nil, true, s.r.Delete(ctx, name, metav1.DeleteOptions{})
}

func (s *untyped) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	return s.r.Create(ctx, nil, *options)
}
