// want package:"has handlers"

// Package hook has handlers with interfaces that other packages implement.
package hook

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Step is a step of Handler. Done is only called without a dry run.
type Step interface {
	Do(ctx context.Context, namespace string) error
	Done(ctx context.Context, namespace string) error
	Connected(ctx context.Context) error
}

// Handler runs steps.
type Handler struct{ Steps map[string]Step }

// Handle runs a step.
func (h *Handler) Handle(ctx context.Context, req admission.Request) admission.Response { // want Handle:"asksDryRun"
	step := h.Steps[req.Kind.Kind]
	if req.Operation == "CONNECT" {
		_ = step.Connected(ctx)
		return admission.Allowed("")
	}
	if err := step.Do(ctx, req.Namespace); err != nil {
		return admission.Denied(err.Error())
	}
	if req.DryRun == nil || !*req.DryRun {
		_ = step.Done(ctx, req.Namespace)
	}
	return admission.Allowed("")
}

// Quota counts objects.
type Quota interface {
	Reserve(ctx context.Context) error
	Release(ctx context.Context) error
}

// Validator reserves quota.
type Validator struct{ Quota Quota }

func (v *Validator) ValidateCreate(ctx context.Context, obj runtime.Object) (admission.Warnings, error) {
	return nil, v.Quota.Reserve(ctx)
}

func (v *Validator) ValidateUpdate(ctx context.Context, old, obj runtime.Object) (admission.Warnings, error) {
	return nil, nil
}

func (v *Validator) ValidateDelete(ctx context.Context, obj runtime.Object) (admission.Warnings, error) { // want ValidateDelete:"asksDryRun"
	req, err := admission.RequestFromContext(ctx)
	if err != nil || req.DryRun != nil && *req.DryRun {
		return nil, err
	}
	return nil, v.Quota.Release(ctx)
}
