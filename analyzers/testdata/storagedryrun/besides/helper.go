package besides

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// provider stores namespaces for the storage.
type provider interface {
	CreateNamespace(ctx context.Context, ns *corev1.Namespace, options *metav1.CreateOptions) error
	RemoveNamespace(ctx context.Context, name string, options *metav1.DeleteOptions) error
}

type kubeProvider struct{ client client.Client }

func (p *kubeProvider) CreateNamespace(ctx context.Context, ns *corev1.Namespace, options *metav1.CreateOptions) error {
	return p.client.Create(ctx, ns, &client.CreateOptions{Raw: options})
}

func (p *kubeProvider) RemoveNamespace(ctx context.Context, name string, options *metav1.DeleteOptions) error {
	return p.client.Delete(ctx, &corev1.Namespace{}, &client.DeleteOptions{Raw: options})
}

// binder gets no options.
type binder interface {
	CreateBinding(ctx context.Context, name string) error
}

type kubeBinder struct{ client client.Client }

func (b kubeBinder) CreateBinding(ctx context.Context, name string) error {
	return b.client.Create(ctx, &corev1.ConfigMap{})
}

// organizations passes its options to a helper, which passes them to the provider.
type organizations struct {
	spaces provider
	binder binder
}

func (o *organizations) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) { // want `Create passes its options on, but a dry run calls binder.CreateBinding \(in create\) without them; skip that when dryrun.IsDryRun\(options.DryRun\)`
	if err := validate(ctx, obj); err != nil {
		return nil, err
	}
	return obj, o.create(ctx, obj, options)
}

func (o *organizations) create(ctx context.Context, obj runtime.Object, options *metav1.CreateOptions) error {
	if err := o.spaces.CreateNamespace(ctx, obj.(*corev1.Namespace), options); err != nil {
		return err
	}
	if err := o.binder.CreateBinding(ctx, "owner"); err != nil {
		_ = o.spaces.RemoveNamespace(ctx, "owner", nil)
		return err
	}
	return nil
}

// guarded has a helper that reads the options.
type guarded struct{ organizations }

func (g *guarded) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	if err := g.spaces.CreateNamespace(ctx, obj.(*corev1.Namespace), options); err != nil {
		return nil, err
	}
	return obj, g.bind(ctx, options)
}

func (g *guarded) bind(ctx context.Context, options *metav1.CreateOptions) error {
	if len(options.DryRun) > 0 {
		return nil
	}
	return g.binder.CreateBinding(ctx, "owner")
}

// told has a helper whose result says whether there is a dry run.
type told struct{ organizations }

func (t *told) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	if err := t.spaces.CreateNamespace(ctx, obj.(*corev1.Namespace), options); err != nil || t.real(options) {
		return obj, err
	}
	return obj, t.binder.CreateBinding(ctx, "owner")
}

func (t *told) real(options *metav1.CreateOptions) bool { return wishes(options.DryRun) }

func wishes(list []string) bool { return len(list) > 0 }

// whole only passes its options on, through a helper.
type whole struct{ organizations }

func (w *whole) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	return obj, w.store(ctx, obj, options)
}

func (w *whole) store(ctx context.Context, obj runtime.Object, options *metav1.CreateOptions) error {
	return w.spaces.CreateNamespace(ctx, obj.(*corev1.Namespace), options)
}
