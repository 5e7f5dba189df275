package iface

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// hook has several implementations. Only some of them write.
type hook interface {
	run(ctx context.Context, c client.Client) error
	check(ctx context.Context, c client.Client) error
}

type updating struct{}

func (*updating) run(ctx context.Context, c client.Client) error   { return c.Update(ctx, &corev1.Pod{}) }
func (*updating) check(ctx context.Context, c client.Client) error { return nil }

type idle struct{}

func (idle) run(ctx context.Context, c client.Client) error   { return nil }
func (idle) check(ctx context.Context, c client.Client) error { return nil }

// unused is never used as a hook.
type unused struct{}

func (unused) run(ctx context.Context, c client.Client) error { return c.Delete(ctx, &corev1.Pod{}) }
func (unused) check(ctx context.Context, c client.Client) error {
	return c.Delete(ctx, &corev1.Pod{})
}

var _ hook = unused{}

var hooks = []hook{&updating{}, idle{}}

type hooked struct{ c client.Client }

func (h *hooked) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle updates a Pod \(in run\) on dry-run requests too`
	for _, one := range hooks {
		if err := one.run(ctx, h.c); err != nil {
			return admission.Denied("")
		}
	}
	return admission.Allowed("")
}

// checked calls a method that no implementation in use writes in.
func (h *hooked) checked(ctx context.Context, req admission.Request) admission.Response {
	for _, one := range hooks {
		_ = one.check(ctx, h.c)
	}
	return admission.Allowed("")
}

// guarded calls the implementations only outside dry runs.
func (h *hooked) guarded(ctx context.Context, req admission.Request) admission.Response {
	if req.DryRun != nil && *req.DryRun {
		return admission.Allowed("")
	}
	for _, one := range hooks {
		_ = one.run(ctx, h.c)
	}
	return admission.Allowed("")
}

// chosen calls an implementation that does not write in a dry run.
func (h *hooked) chosen(ctx context.Context, req admission.Request) admission.Response {
	var one hook = &updating{}
	if req.DryRun != nil && *req.DryRun {
		one = idle{}
	}
	_ = one.run(ctx, h.c)
	_ = h.hookFor(req).run(ctx, h.c)
	return admission.Allowed("")
}

func (h *hooked) hookFor(req admission.Request) hook {
	if req.DryRun != nil && *req.DryRun {
		return idle{}
	}
	return &updating{}
}

// besides guards one write, and calls the implementations without a check.
func (h *hooked) besides(ctx context.Context, req admission.Request) admission.Response { // want `^besides updates a Pod \(in run\) on dry-run requests too`
	if req.DryRun == nil || !*req.DryRun {
		_ = h.c.Create(ctx, &corev1.Secret{})
	}
	for _, one := range hooks {
		_ = one.run(ctx, h.c)
	}
	return admission.Allowed("")
}

// asker has several implementations. One of them checks the dry run.
type asker interface {
	ask(ctx context.Context, c client.Client, req admission.Request) error
}

type carefulAsker struct{}

func (carefulAsker) ask(ctx context.Context, c client.Client, req admission.Request) error {
	if req.DryRun != nil && *req.DryRun {
		return nil
	}
	return c.Update(ctx, &corev1.Pod{})
}

type idleAsker struct{}

func (idleAsker) ask(ctx context.Context, c client.Client, req admission.Request) error { return nil }

func askers() []asker { return []asker{carefulAsker{}, idleAsker{}} }

func (h *hooked) asks(ctx context.Context, req admission.Request) admission.Response {
	for _, one := range askers() {
		_ = one.ask(ctx, h.c, req)
	}
	return admission.Allowed("")
}

// handling is an interface of handlers, which get their own findings.
type handling interface {
	serve(ctx context.Context, req admission.Request) admission.Response
}

type first struct{ c client.Client }

func (f first) serve(ctx context.Context, req admission.Request) admission.Response { // want `^serve deletes a Secret on dry-run requests too`
	_ = f.c.Delete(ctx, &corev1.Secret{})
	return admission.Allowed("")
}

type second struct{}

func (second) serve(ctx context.Context, req admission.Request) admission.Response {
	return admission.Allowed("")
}

func (h *hooked) dispatches(ctx context.Context, req admission.Request) admission.Response {
	for _, one := range []handling{first{h.c}, second{}} {
		return one.serve(ctx, req)
	}
	return admission.Allowed("")
}
