// Package shelf creates objects that its callers choose.
package shelf

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Shelf creates objects of one kind.
type Shelf[T client.Object] struct{ Client client.Client }

// Put creates an object.
func (s Shelf[T]) Put(ctx context.Context, obj T) error { return s.Client.Create(ctx, obj) }

// Secrets is a shelf of secrets.
type Secrets struct{ Shelf[*corev1.Secret] }

// Copy creates a secret through the generic method.
func Copy(ctx context.Context, to Secrets, from *corev1.Secret) error {
	return to.Put(ctx, from.DeepCopy())
}

// Ensure creates an object of any kind if it does not exist.
func Ensure(ctx context.Context, c client.Client, obj client.Object) error {
	if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); err == nil {
		return nil
	}
	return create(ctx, c, obj)
}

func create(ctx context.Context, c client.Client, obj client.Object) error { return c.Create(ctx, obj) }

// Ask creates a review through the function for all kinds.
func Ask(ctx context.Context, c client.Client, user string) error {
	return create(ctx, c, &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: user}})
}

// Label creates a ConfigMap through the function for all kinds.
func Label(ctx context.Context, c client.Client) error { return create(ctx, c, &corev1.ConfigMap{}) }
