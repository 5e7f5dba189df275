// Package handler calls functions that an option lists as side effects.
package handler

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"example.org/clients/webhookextra/bus"
)

type publishes struct{ bus *bus.Client }

func (h *publishes) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle calls Client.Publish on dry-run requests too`
	_ = h.bus.Publish(req.Name)
	return admission.Allowed("")
}

type subscribes struct{ bus *bus.Client }

func (h *subscribes) Handle(ctx context.Context, req admission.Request) admission.Response {
	_ = h.bus.Subscribe(req.Name)
	return admission.Allowed("")
}

type tells struct{}

func (h *tells) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle calls bus.Tell on dry-run requests too`
	_ = bus.Tell(req.Name)
	return admission.Allowed("")
}

type storage struct{}

func (storage) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	return obj, bus.Tell("created")
}
