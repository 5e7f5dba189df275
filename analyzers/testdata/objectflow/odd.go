package objectflow

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type odd[T client.Object] struct {
	client.Client
	objs []T
	fn   func(T) error
	self *odd[T]
}

func (o *odd[T]) all(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	for i := range o.objs {
		go func() { _ = o.Get(ctx, client.ObjectKey{}, o.objs[i]) }()
		defer o.fn(o.objs[i])
	}
	get := o.Client.Get
	method := (*odd[T]).all
	_ = method(o.self, ctx)
	var obj client.Object = &corev1.Pod{}
	switch x := obj.(type) {
	case *corev1.Pod:
		err = get(ctx, client.ObjectKey{}, x)
	case nil:
		goto out
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	default:
	}
out:
	for o := range func(yield func(client.Object) bool) { yield(obj) } {
		sink(o)
	}
	var array [2]corev1.Pod
	for _, pod := range array {
		_ = get(ctx, client.ObjectKey{}, &pod)
	}
	m := map[string]func() client.Object{"a": func() client.Object { return obj }}
	sink(m["a"]())
	if v, ok := obj.(interface{ next() client.Object }); ok {
		sink(v.next())
	}
	return func() error { return o.all(ctx) }()
}
