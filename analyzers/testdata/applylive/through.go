package applylive

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/applylive/convert"
)

type reader interface {
	getConfig(r *reconciler) (*corev1.ConfigMap, error)
}

type empty struct{}

func (empty) getConfig(r *reconciler) (*corev1.ConfigMap, error) { return &corev1.ConfigMap{}, nil }

type real struct{}

func (real) getConfig(r *reconciler) (*corev1.ConfigMap, error) {
	cm := &corev1.ConfigMap{}
	err := r.client.Get(context.Background(), client.ObjectKey{Name: "a"}, cm)
	return cm, err
}

type reconciler struct {
	reader
	client client.Client
	cached corev1.ConfigMap
}

func (r *reconciler) Reconcile(ctx context.Context) error {
	cm, err := r.getConfig(r)
	if err != nil {
		return err
	}
	return updateConfig(ctx, cm, r)
}

func updateConfig(ctx context.Context, cm *corev1.ConfigMap, r *reconciler) error {
	data, err := convert.ToUnstructured(cm)
	if err != nil {
		return err
	}
	return r.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(data), owner) // want `this apply sends data, read from the API in line 25`
}

func (r *reconciler) stripped(ctx context.Context, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := r.client.Get(ctx, key, d); err != nil {
		return err
	}
	convert.Strip(d)
	return r.client.Patch(ctx, d, client.Apply, owner)
}

func (r *reconciler) labelled(ctx context.Context, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := r.client.Get(ctx, key, d); err != nil {
		return err
	}
	convert.Label(d)
	return r.client.Patch(ctx, d, client.Apply, owner) // want `this apply sends d`
}

func (r *reconciler) apply(ctx context.Context, obj client.Object) error {
	return r.client.Patch(ctx, obj, client.Apply, owner) // want `this apply sends obj, read from the API in line 75`
}

func (r *reconciler) applies(ctx context.Context, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := r.client.Get(ctx, key, d); err != nil {
		return err
	}
	return r.apply(ctx, d)
}

func (r *reconciler) applyClean(ctx context.Context, obj client.Object) error {
	obj.SetManagedFields(nil)
	return r.client.Patch(ctx, obj, client.Apply, owner)
}

func (r *reconciler) appliesClean(ctx context.Context, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := r.client.Get(ctx, key, d); err != nil {
		return err
	}
	return r.applyClean(ctx, d)
}

func (r *reconciler) fill(ctx context.Context, key client.ObjectKey, d *appsv1.Deployment) error {
	return r.client.Get(ctx, key, d)
}

func (r *reconciler) filled(ctx context.Context, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := r.fill(ctx, key, d); err != nil {
		return err
	}
	return r.client.Patch(ctx, d, client.Apply, owner) // want `this apply sends d, read from the API in line 95`
}

func (r *reconciler) strip(d *appsv1.Deployment) { d.ManagedFields = nil }

func (r *reconciler) strips(ctx context.Context, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := r.fill(ctx, key, d); err != nil {
		return err
	}
	r.strip(d)
	return r.client.Patch(ctx, d, client.Apply, owner)
}

func (r *reconciler) unknown(ctx context.Context, key client.ObjectKey, mutate func(client.Object)) error {
	d := &appsv1.Deployment{}
	if err := r.fill(ctx, key, d); err != nil {
		return err
	}
	mutate(d)
	return r.client.Patch(ctx, d, client.Apply, owner)
}

func (r *reconciler) field(ctx context.Context, key client.ObjectKey) error {
	if err := r.client.Get(ctx, key, &r.cached); err != nil {
		return err
	}
	return r.client.Patch(ctx, &r.cached, client.Apply, owner) // want `this apply sends r.cached`
}

func (r *reconciler) helped(ctx context.Context, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := r.client.Get(ctx, key, d); err != nil {
		return err
	}
	if err := convert.ApplyClean(ctx, r.client, d.DeepCopy()); err != nil {
		return err
	}
	return convert.Apply(ctx, r.client, d) // want `Apply applies an object, read from the API in line 135`
}
