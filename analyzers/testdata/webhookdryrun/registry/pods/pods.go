// want package:"has handlers"

// Package pods has a handler that calls the plugins of packages that it imports indirectly.
package pods

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"example.org/clients/webhookdryrun/registry/plugin"
	_ "example.org/clients/webhookdryrun/registry/plugin/all"
)

type handler struct{}

func (h *handler) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle creates a Service \(in lb.balancer.Added\) on dry-run creates too`
	pod := &corev1.Pod{}
	p := plugin.Get(pod.Name)
	dryRun := req.DryRun != nil && *req.DryRun
	var err error
	switch req.Operation {
	case admissionv1.Create:
		err = p.Added(ctx, pod)
	case admissionv1.Update:
		err = p.Updated(ctx, pod, dryRun)
	case admissionv1.Delete:
		if !dryRun {
			err = p.Deleted(ctx, pod)
		}
	}
	if err != nil {
		return admission.Denied(err.Error())
	}
	return admission.Allowed("")
}
