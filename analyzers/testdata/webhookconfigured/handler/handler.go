// Package handler has handlers whose webhooks are configured in manifests.
package handler

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type server interface{ Register(path string, hook any) }

func register(s server, c client.Client) {
	s.Register("/guard", &admission.Webhook{Handler: &guard{c}})
	s.Register("/lenient", &admission.Webhook{Handler: &lenient{c}})
	s.Register("/elsewhere", &admission.Webhook{Handler: &elsewhere{c}})
}

type guard struct{ c client.Client }

func (g *guard) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle creates a ConfigMap on dry-run requests too, though config/webhook.yaml:12 claims sideEffects: None; skip it when req.DryRun is true, and declare sideEffects NoneOnDryRun, not None$`
	_ = g.c.Create(ctx, &corev1.ConfigMap{})
	return admission.Allowed("")
}

// lenient never gets a dry run, because its webhook declares that it may have side
// effects.
type lenient struct{ c client.Client }

func (l *lenient) Handle(ctx context.Context, req admission.Request) admission.Response {
	_ = l.c.Create(ctx, &corev1.ConfigMap{})
	return admission.Allowed("")
}

// elsewhere is registered at a path that no manifest contains.
type elsewhere struct{ c client.Client }

func (e *elsewhere) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle creates a ConfigMap on dry-run requests too; skip it when req.DryRun is true, and declare`
	_ = e.c.Create(ctx, &corev1.ConfigMap{})
	return admission.Allowed("")
}

// validator is at a path that is not known here. All webhooks that validate
// deletes declare the same side effects.
type validator struct{ c client.Client }

func (v *validator) ValidateDelete(ctx context.Context, obj runtime.Object) (admission.Warnings, error) { // want `^ValidateDelete creates a ConfigMap on dry-run deletes too, though config/webhook.yaml:40 claims sideEffects: NoneOnDryRun; ask admission.RequestFromContext for DryRun first$`
	return nil, v.c.Create(ctx, &corev1.ConfigMap{})
}

// Two webhooks get updates, and declare different side effects.
func (v *validator) ValidateUpdate(ctx context.Context, old, obj runtime.Object) (admission.Warnings, error) { // want `^ValidateUpdate creates a ConfigMap on dry-run updates too; ask`
	return nil, v.c.Create(ctx, &corev1.ConfigMap{})
}

func (v *validator) ValidateCreate(ctx context.Context, obj runtime.Object) (admission.Warnings, error) {
	return nil, nil
}
