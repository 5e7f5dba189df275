// Package handler has admission handlers of controller-runtime.
package handler

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type direct struct{ client.Client }

func (h *direct) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle creates a Pod, and makes 4 more writes, on dry-run requests too; skip it when req.DryRun is true, and declare sideEffects NoneOnDryRun, not None$`
	pod := &corev1.Pod{}
	_ = h.Create(ctx, pod)
	_ = h.Status().Update(ctx, pod)
	_ = h.Delete(ctx, pod)
	_ = h.DeleteAllOf(ctx, pod)
	_ = h.Patch(ctx, pod, client.MergeFrom(&corev1.Pod{}))

	// These calls have no effects.
	_ = h.Create(ctx, pod, client.DryRunAll)
	_ = h.Get(ctx, client.ObjectKeyFromObject(pod), pod)
	_ = h.Create(ctx, &corev1.Event{})
	return admission.Allowed("")
}

func (h *direct) update(ctx context.Context, req admission.Request) admission.Response { // want `update updates the status of a Pod on`
	_ = h.Status().Update(ctx, &corev1.Pod{})
	return admission.Allowed("")
}

func (h *direct) remove(ctx context.Context, req admission.Request) admission.Response { // want `remove deletes every matching Pod, and makes one more write, on`
	_ = h.DeleteAllOf(ctx, &corev1.Pod{})
	_ = h.Delete(ctx, &corev1.Pod{})
	return admission.Allowed("")
}

func (h *direct) nothing(ctx context.Context, req admission.Request) admission.Response {
	_ = h.Create(ctx, &corev1.Pod{}, client.DryRunAll)
	_ = h.Create(ctx, &corev1.Event{})
	return admission.Allowed("")
}

// operations writes under conditions on the operation. The message names the operation.
type operations struct{ c client.Client }

func (h *operations) Handle(ctx context.Context, r admission.Request) admission.Response { // want `Handle updates a Pod on dry-run deletes too; skip it when r.DryRun is true`
	switch r.Operation {
	case admissionv1.Create, admissionv1.Connect:
		return admission.Allowed("")
	case admissionv1.Delete:
		_ = h.c.Update(ctx, &corev1.Pod{})
	}
	return admission.Allowed("")
}

func (h *operations) others(ctx context.Context, r admission.Request) admission.Response { // want `others updates a Pod, and makes one more write, on dry-run creates, updates and connects too`
	if r.Operation == admissionv1.Delete {
		return admission.Allowed("")
	}
	_ = h.c.Update(ctx, &corev1.Pod{})
	if r.Operation == admissionv1.Create {
		_ = h.c.Create(ctx, &corev1.Pod{})
	}
	return admission.Allowed("")
}

// guarded has methods with different guards.
type guarded struct{ c client.Client }

func (h *guarded) Handle(ctx context.Context, req admission.Request) admission.Response {
	if req.DryRun != nil && *req.DryRun {
		return admission.Allowed("dry run")
	}
	_ = h.c.Create(ctx, &corev1.Pod{})
	return admission.Allowed("")
}

func (h *guarded) deref(ctx context.Context, req admission.Request) admission.Response { // want `^deref deletes a Pod on`
	if !ptr.Deref(req.DryRun, false) {
		_ = h.c.Create(ctx, &corev1.Pod{})
	}
	_ = h.c.Delete(ctx, &corev1.Pod{})
	return admission.Allowed("")
}

func (h *guarded) variable(ctx context.Context, req admission.Request) admission.Response {
	write := req.DryRun == nil || !*req.DryRun
	if write {
		_ = h.c.Create(ctx, &corev1.Pod{})
	}
	return admission.Allowed("")
}

func (h *guarded) helped(ctx context.Context, req admission.Request) admission.Response {
	if isDryRun(req) {
		return admission.Allowed("")
	}
	_ = h.c.Create(ctx, &corev1.Pod{})
	return admission.Allowed("")
}

func isDryRun(req admission.Request) bool { return req.DryRun != nil && *req.DryRun }

func (h *guarded) options(ctx context.Context, req admission.Request) admission.Response {
	var opts []client.CreateOption
	if isDryRun(req) {
		opts = append(opts, client.DryRunAll)
	}
	_ = h.c.Create(ctx, &corev1.Pod{}, opts...)
	update := &client.UpdateOptions{}
	if isDryRun(req) {
		update.DryRun = []string{metav1.DryRunAll}
	}
	_ = h.c.Update(ctx, &corev1.Pod{}, update)
	return admission.Allowed("")
}

// tells passes the dry run as an argument.
func (h *guarded) tells(ctx context.Context, req admission.Request) admission.Response {
	h.told(ctx, isDryRun(req))
	h.persists(ctx, !isDryRun(req))
	return admission.Allowed("")
}

func (h *guarded) told(ctx context.Context, dryRun bool) {
	if dryRun {
		return
	}
	_ = h.c.Create(ctx, &corev1.Pod{})
}

func (h *guarded) persists(ctx context.Context, persist bool) {
	if persist {
		_ = h.c.Create(ctx, &corev1.Pod{})
	}
}

// rollback deletes the created objects again. In a dry run, there are none.
func (h *guarded) rollback(ctx context.Context, req admission.Request) admission.Response {
	var done []client.Object
	for range 3 {
		if !isDryRun(req) {
			pod := &corev1.Pod{}
			if err := h.c.Create(ctx, pod); err != nil {
				break
			}
			done = append(done, pod)
		}
	}
	for _, pod := range done {
		_ = h.c.Delete(ctx, pod)
	}
	h.undo(ctx, done)
	return admission.Allowed("")
}

func (h *guarded) undo(ctx context.Context, done []client.Object) {
	for _, pod := range done {
		_ = h.c.Delete(ctx, pod)
	}
}

// nested writes in literals, in goroutines and in functions that it passes on.
type nested struct{ c client.Client }

func (h *nested) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle creates a Pod on dry-run requests too`
	go func() {
		_ = h.c.Create(ctx, &corev1.Pod{})
	}()
	later := func() error { return h.c.Delete(ctx, &corev1.Pod{}) }
	if !isDryRun(req) {
		_ = later()
	}
	return admission.Allowed("")
}

func (h *nested) retried(ctx context.Context, req admission.Request) admission.Response { // want `^retried updates a Pod on`
	_ = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return h.c.Update(ctx, &corev1.Pod{})
	})
	return admission.Allowed("")
}

func (h *nested) handed(ctx context.Context, req admission.Request) admission.Response { // want `^handed updates a Secret \(in write\) on dry-run requests too`
	_ = retry.RetryOnConflict(retry.DefaultRetry, h.write)
	return admission.Allowed("")
}

func (h *nested) write() error { return h.c.Update(context.Background(), &corev1.Secret{}) }

func (h *nested) deferred(ctx context.Context, req admission.Request) admission.Response { // want `^deferred creates a ConfigMap \(in deeper\) on`
	defer h.record(ctx)
	return admission.Allowed("")
}

func (h *nested) record(ctx context.Context) { h.deeper(ctx) }

func (h *nested) deeper(ctx context.Context) { _ = h.c.Create(ctx, &corev1.ConfigMap{}) }

// callback returns a function that writes. The handler does not call it.
func (h *nested) callback(ctx context.Context, req admission.Request) func() error {
	return func() error { return h.c.Create(ctx, &corev1.Pod{}) }
}

// handlerFunc returns a handler that is a literal.
func handlerFunc(c client.Client) admission.Handler {
	return admission.HandlerFunc(func(ctx context.Context, req admission.Request) admission.Response { // want `the handler in handlerFunc creates a Pod`
		_ = c.Create(ctx, &corev1.Pod{})
		return admission.Allowed("")
	})
}

func carefulFunc(c client.Client) admission.Handler {
	return admission.HandlerFunc(func(ctx context.Context, req admission.Request) admission.Response {
		if req.DryRun == nil || !*req.DryRun {
			_ = c.Create(ctx, &corev1.Pod{})
		}
		return admission.Allowed("")
	})
}

// responder returns the response. It is a function type of the project.
type responder func(context.Context, admission.Request) *admission.Response

func onCreate(c client.Client) responder {
	return func(ctx context.Context, _ admission.Request) *admission.Response { // want `the handler in onCreate creates a Pod on dry-run requests too; skip it when the request's DryRun is true`
		_ = c.Create(ctx, &corev1.Pod{})
		return nil
	}
}

// reconcile is not a handler.
func (h *nested) reconcile(ctx context.Context) error { return h.c.Create(ctx, &corev1.Node{}) }

type ignored struct{ c client.Client }

func (h *ignored) Handle(ctx context.Context, req admission.Request) admission.Response {
	_ = h.c.Create(ctx, &corev1.Pod{}) //kubevet:ignore webhookdryrun -- the suppression may stand at the write
	return admission.Allowed("")
}

//kubevet:ignore webhookdryrun -- or at the handler
func (h *ignored) other(ctx context.Context, req admission.Request) admission.Response {
	_ = h.c.Create(ctx, &corev1.Pod{})
	return admission.Allowed("")
}
