// Package asker creates objects whose kinds other packages choose.
package asker

import (
	"context"
	"encoding/json"

	"example.org/clients/webhookdryrun/review/asks"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type handler struct{ c client.Client }

func (h *handler) made(ctx context.Context, req admission.Request) admission.Response {
	_ = h.c.Create(ctx, asks.New(req.UserInfo.Username))
	return admission.Allowed("")
}

func (h *handler) named(ctx context.Context, req admission.Request) admission.Response {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "authorization.k8s.io/v1", "kind": asks.Kind}}
	_ = h.c.Create(ctx, u)
	return admission.Allowed("")
}

// decoded creates an object that the request contains.
func (h *handler) decoded(ctx context.Context, req admission.Request) admission.Response { // want `^decoded creates an object on dry-run requests too`
	u := &unstructured.Unstructured{}
	_ = json.Unmarshal(req.Object.Raw, u)
	_ = h.c.Create(ctx, u)
	return admission.Allowed("")
}

// updated changes an object. Reviews cannot be changed.
func (h *handler) updated(ctx context.Context, req admission.Request) admission.Response { // want `^updated updates an object on dry-run requests too`
	_ = h.c.Update(ctx, asks.New(req.UserInfo.Username))
	return admission.Allowed("")
}
