// Package validator has validators and defaulters of controller-runtime.
package validator

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type custom struct{ client.Client }

func (v *custom) ValidateCreate(ctx context.Context, obj runtime.Object) (admission.Warnings, error) { // want `^ValidateCreate creates a Pod on dry-run creates too; ask admission.RequestFromContext for DryRun first, and declare sideEffects NoneOnDryRun, not None$`
	return nil, v.Create(ctx, &corev1.Pod{})
}

func (v *custom) ValidateUpdate(ctx context.Context, oldObj, newObj runtime.Object) (admission.Warnings, error) { // want `ValidateUpdate updates a Pod \(in touch\) on dry-run updates too`
	return nil, v.touch(ctx)
}

func (v *custom) touch(ctx context.Context) error {
	return v.Update(ctx, &corev1.Pod{})
}

func (v *custom) ValidateDelete(ctx context.Context, obj runtime.Object) (admission.Warnings, error) {
	req, err := admission.RequestFromContext(ctx)
	if err != nil {
		return nil, err
	}
	if req.DryRun != nil && *req.DryRun {
		return nil, nil
	}
	return nil, v.Delete(ctx, &corev1.Pod{})
}

func (v *custom) Default(ctx context.Context, obj runtime.Object) error { // want `Default creates a Secret on dry-run requests too`
	return v.Create(ctx, &corev1.Secret{})
}

// early implements the interface of older releases, in which methods returned only an error.
type early struct{ client.Client }

func (v *early) ValidateCreate(ctx context.Context, obj runtime.Object) error { // want `ValidateCreate creates a Pod`
	return v.Create(ctx, &corev1.Pod{})
}

// strange has methods with other parameters, and is not a validator.
type strange struct{ client.Client }

func (v *strange) ValidateCreate(ctx context.Context, name string) error {
	return v.Create(ctx, &corev1.Pod{})
}

func (v *strange) Default(ctx context.Context) error { return v.Create(ctx, &corev1.Pod{}) }

// typed implements the generic interfaces.
type typed struct{ c client.Client }

var (
	_ admission.Validator[*corev1.Pod] = &typed{}
	_ admission.Defaulter[*corev1.Pod] = &typed{}
)

func (v *typed) ValidateCreate(ctx context.Context, pod *corev1.Pod) (admission.Warnings, error) { // want `ValidateCreate creates a Pod on dry-run creates too`
	return nil, v.c.Create(ctx, pod)
}

func (v *typed) ValidateUpdate(ctx context.Context, _, pod *corev1.Pod) (admission.Warnings, error) {
	return nil, v.c.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

func (v *typed) ValidateDelete(ctx context.Context, pod *corev1.Pod) (admission.Warnings, error) {
	if req, err := admission.RequestFromContext(ctx); err == nil && (req.DryRun == nil || !*req.DryRun) {
		return nil, v.c.Delete(ctx, pod)
	}
	return nil, nil
}

func (v *typed) Default(ctx context.Context, pod *corev1.Pod) error { // want `Default patches a Pod`
	return v.c.Patch(ctx, pod, client.MergeFrom(pod))
}

// generic implements the interface for every kind.
type generic[T client.Object] struct{ c client.Client }

func (v *generic[T]) ValidateCreate(ctx context.Context, obj T) (admission.Warnings, error) { // want `ValidateCreate creates an object`
	return nil, v.c.Create(ctx, obj)
}

// widget is an API type with the methods of older releases.
type widget struct{ corev1.Pod }

var clientOfWidgets client.Client

func (w *widget) ValidateCreate() (admission.Warnings, error) { // want `ValidateCreate creates a Pod on dry-run creates too; these methods cannot see a dry run`
	return nil, clientOfWidgets.Create(context.Background(), &corev1.Pod{})
}

func (w *widget) ValidateUpdate(old runtime.Object) error { // want `ValidateUpdate updates a Pod on dry-run updates too`
	return clientOfWidgets.Update(context.Background(), &corev1.Pod{})
}

func (w *widget) ValidateDelete() error {
	return clientOfWidgets.Get(context.Background(), client.ObjectKey{}, &corev1.Pod{})
}

func (w *widget) Default() { // want `Default deletes a Pod`
	_ = clientOfWidgets.Delete(context.Background(), &corev1.Pod{})
}

// plain is not an API type.
type plain struct{}

func (p *plain) Default() { _ = clientOfWidgets.Delete(context.Background(), &corev1.Pod{}) }
