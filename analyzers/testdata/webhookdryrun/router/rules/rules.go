// Package rules has handlers. The settings that all of them read may be created in
// another package: one finding names the cause.
package rules

import (
	"context"

	"example.org/clients/webhookdryrun/router/config"
	"example.org/clients/webhookdryrun/router/hooks"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Class checks classes.
type Class struct{ Config *config.Config }

// OnCreate reads a setting.
func (r *Class) OnCreate(c client.Client) hooks.Func {
	return func(ctx context.Context, req admission.Request) *admission.Response { // want `^the handler in OnCreate creates a ConfigMap \(in Limit\) on dry-run requests too, as 4 more handlers of this package do; skip it`
		_ = r.Config.Limit(ctx)
		return nil
	}
}

// OnDelete reads another setting.
func (r *Class) OnDelete(c client.Client) hooks.Func {
	return func(ctx context.Context, req admission.Request) *admission.Response {
		_ = r.Config.Name(ctx)
		return nil
	}
}

// Quota counts objects.
type Quota struct{ Config *config.Config }

// OnCreate reads a setting.
func (r *Quota) OnCreate(c client.Client) hooks.Func {
	return func(ctx context.Context, req admission.Request) *admission.Response {
		_ = r.Config.Limit(ctx)
		return nil
	}
}

// OnDelete writes itself, so it has a finding of its own.
func (r *Quota) OnDelete(c client.Client) hooks.Func {
	return func(ctx context.Context, req admission.Request) *admission.Response { // want `^the handler in OnDelete deletes a Secret, and makes one more write, on dry-run requests too; skip it`
		_ = r.Config.Limit(ctx)
		_ = c.Delete(ctx, &corev1.Secret{})
		return nil
	}
}

// Storage checks volumes.
type Storage struct{ Config *config.Config }

// OnCreate reads a setting.
func (r *Storage) OnCreate(c client.Client) hooks.Func {
	return func(ctx context.Context, req admission.Request) *admission.Response {
		_ = r.Config.Limit(ctx)
		return nil
	}
}

// OnDelete reads another setting.
func (r *Storage) OnDelete(c client.Client) hooks.Func {
	return func(ctx context.Context, req admission.Request) *admission.Response {
		_ = r.Config.Name(ctx)
		return nil
	}
}
