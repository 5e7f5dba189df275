package besides

import (
	"context"

	"example.org/clients/storagedryrun/besides/bind"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// spaces stores namespaces. It passes its options on inside the options of its client.
type spaces struct {
	client client.Client
	cs     kubernetes.Interface
}

func (s *spaces) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) { // want `Create passes its options on, but a dry run creates a ConfigMap \(in prepare\) without them; skip that when dryrun.IsDryRun\(options.DryRun\)`
	if err := s.client.Create(ctx, obj.(*corev1.Namespace), &client.CreateOptions{Raw: options}); err != nil {
		return nil, err
	}
	return obj, s.prepare(ctx)
}

func (s *spaces) prepare(ctx context.Context) error {
	if err := s.client.Create(ctx, &corev1.ConfigMap{}); err != nil {
		return err
	}
	return bind.Owner(ctx, s.cs, "space")
}

// Delete calls a function of another package that writes.
func (s *spaces) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) { // want `Delete passes its options on, but a dry run creates a ConfigMap \(in Owner\) without them; skip that when dryrun.IsDryRun\(options.DryRun\)`
	if err := s.client.Delete(ctx, &corev1.Namespace{}, &client.DeleteOptions{Raw: options}); err != nil {
		return nil, false, err
	}
	return nil, true, bind.Owner(ctx, s.cs, name)
}

// handed may read DryRun in the options that it passes on, or other code may.
type handed struct {
	spaces
	last *client.CreateOptions
	real func(options *client.CreateOptions) bool
}

func (h *handed) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	raw := &client.CreateOptions{Raw: options}
	if h.real(raw) {
		if err := h.prepare(ctx); err != nil {
			return nil, err
		}
	}
	return obj, h.client.Create(ctx, obj.(*corev1.Namespace), raw)
}

// kept stores its options where other code may read them.
type kept struct{ handed }

func (k *kept) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	k.last = &client.CreateOptions{Raw: options}
	if err := k.client.Create(ctx, obj.(*corev1.Namespace), k.last); err != nil {
		return nil, err
	}
	return obj, k.prepare(ctx)
}

// looked reads the DryRun that it has passed on.
type looked struct{ spaces }

func (l *looked) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	raw := &client.CreateOptions{Raw: options}
	if err := l.client.Create(ctx, obj.(*corev1.Namespace), raw); err != nil || len(raw.Raw.DryRun) > 0 {
		return obj, err
	}
	return obj, l.prepare(ctx)
}

// alone only passes its options on.
type alone struct{ spaces }

func (a *alone) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	return obj, a.client.Create(ctx, obj.(*corev1.Namespace), &client.CreateOptions{Raw: options})
}
