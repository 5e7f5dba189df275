// Package controllers has generic clients for generated code.
package controllers

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
)

// Client creates its own requests.
type Client struct {
	RESTClient rest.Interface
	codec      runtime.ParameterCodec
}

// Update replaces an object.
func (c *Client) Update(ctx context.Context, namespace string, obj, result runtime.Object, opts metav1.UpdateOptions) error {
	return c.RESTClient.Put().Namespace(namespace).VersionedParams(&opts, c.codec).Body(obj).Do(ctx).Into(result)
}

// Object is the type argument of a client.
type Object interface {
	comparable
	runtime.Object
}

// Interface is embedded in generated clients.
type Interface[T Object] interface {
	Update(T) (T, error)
	Get(name string) (T, error)
}

// Store is implemented by other modules.
type Store interface {
	Update(obj runtime.Object) error
	Get(obj runtime.Object) error
}

type embedded interface {
	Update(ctx context.Context, namespace string, obj, result runtime.Object, opts metav1.UpdateOptions) error
}

// Controller implements Interface.
type Controller[T Object] struct {
	embedded
	result T
}

// NewController returns a Controller.
func NewController[T Object](c *Client) *Controller[T] { return &Controller[T]{embedded: c} }

// Update replaces an object.
func (c *Controller[T]) Update(obj T) (T, error) {
	return c.result, c.embedded.Update(context.TODO(), "web", obj, c.result, metav1.UpdateOptions{})
}

// Get only reads.
func (c *Controller[T]) Get(name string) (T, error) { return c.result, nil }
