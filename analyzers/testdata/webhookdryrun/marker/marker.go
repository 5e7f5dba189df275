// Package marker has handlers with markers for controller-gen.
package marker

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// +kubebuilder:webhook:path=/mutate-v1-pod,mutating=true,failurePolicy=fail,sideEffects=None,groups="",resources=pods,verbs=create;update,versions=v1,name=mpod.example.org,admissionReviewVersions=v1

type defaulter struct{ c client.Client }

func (d *defaulter) Default(ctx context.Context, obj runtime.Object) error { // want `^Default creates a ConfigMap on dry-run requests too, though its marker claims sideEffects=None; ask admission.RequestFromContext for DryRun first, and declare sideEffects NoneOnDryRun, not None`
	return d.c.Create(ctx, &corev1.ConfigMap{})
}

// +kubebuilder:webhook:path=/validate-v1-pod,mutating=false,failurePolicy=fail,sideEffects=NoneOnDryRun,groups="",resources=pods,verbs=create;update,versions=v1,name=vpod.example.org,admissionReviewVersions={v1,v1beta1}

type validator struct{ c client.Client }

func (v *validator) ValidateCreate(ctx context.Context, obj runtime.Object) (admission.Warnings, error) { // want `^ValidateCreate creates a ConfigMap on dry-run creates too, though its marker claims sideEffects=NoneOnDryRun; ask admission.RequestFromContext for DryRun first$`
	return nil, v.c.Create(ctx, &corev1.ConfigMap{})
}

func (v *validator) ValidateUpdate(ctx context.Context, old, obj runtime.Object) (admission.Warnings, error) {
	return nil, nil
}

// ValidateDelete is not called, because the marker does not list deletes.
func (v *validator) ValidateDelete(ctx context.Context, obj runtime.Object) (admission.Warnings, error) {
	return nil, v.c.Create(ctx, &corev1.ConfigMap{})
}
