// Package unknownkind creates objects whose kinds come from other code. If that code does
// not compile, the objects may be reviews, which the server does not store.
package unknownkind

import (
	"context"
	"encoding/json"

	"example.org/clients/webhookdryrun/unknownkind/kinds"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type handler struct {
	c   client.Client
	obj client.Object
}

func newHandler(c client.Client) *handler {
	klog.Info("handler")
	return &handler{c: c, obj: made()}
}

func (h *handler) local(ctx context.Context, req admission.Request) admission.Response { // want `^local creates an object on dry-run requests too`
	_ = h.c.Create(ctx, made())
	return admission.Allowed("")
}

func made() *unstructured.Unstructured {
	klog.Info("made")
	return &unstructured.Unstructured{}
}

func (h *handler) filled(ctx context.Context, req admission.Request) admission.Response { // want `^filled creates an object on dry-run requests too`
	u := &unstructured.Unstructured{}
	kinds.Fill(u, "a")
	_ = h.c.Create(ctx, u)
	return admission.Allowed("")
}

func (h *handler) variable(ctx context.Context, req admission.Request) admission.Response { // want `^variable creates an object on dry-run requests too`
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kinds.Chosen)
	_ = h.c.Create(ctx, u)
	return admission.Allowed("")
}

func (h *handler) elsewhere(ctx context.Context, req admission.Request) admission.Response { // want `^elsewhere creates an object on dry-run requests too`
	_ = h.c.Create(ctx, kinds.New("a"))
	return admission.Allowed("")
}

func (h *handler) passed(ctx context.Context, req admission.Request) admission.Response { // want `^passed creates an object .in send. on dry-run requests too`
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	h.send(ctx, u)
	return admission.Allowed("")
}

var kind schema.GroupVersionKind = ofLog(klog.Info)

func ofLog(func(...any)) schema.GroupVersionKind { return schema.GroupVersionKind{} }

func (h *handler) send(ctx context.Context, obj client.Object) { _ = h.c.Create(ctx, obj) }

func (h *handler) field(ctx context.Context, req admission.Request) admission.Response { // want `^field creates an object on dry-run requests too`
	_ = h.c.Create(ctx, h.obj)
	return admission.Allowed("")
}

// known needs no code that may not compile.
func (h *handler) known(ctx context.Context, req admission.Request) admission.Response { // want `^known creates an object on dry-run requests too`
	u := &unstructured.Unstructured{}
	_ = json.Unmarshal(req.Object.Raw, u)
	_ = h.c.Create(ctx, u)
	return admission.Allowed("")
}
