// Package iterate has handlers with writes in loops over iterators.
package iterate

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type undoing struct {
	c     client.Client
	names []string
}

// Handle undoes what it has done, which is nothing in a dry run.
func (h *undoing) Handle(ctx context.Context, req admission.Request) admission.Response {
	dryRun := req.DryRun != nil && *req.DryRun
	var done []string
	for _, name := range h.names {
		if err := h.reserve(ctx, name, dryRun); err != nil {
			for _, d := range slices.Backward(done) {
				_ = h.c.Delete(ctx, configMap(d))
			}
			return admission.Errored(500, err)
		}
		if !dryRun {
			done = append(done, name)
		}
	}
	return admission.Allowed("")
}

func (h *undoing) reserve(ctx context.Context, name string, dryRun bool) error {
	if dryRun {
		return nil
	}
	return h.c.Create(ctx, configMap(name))
}

type clearing struct {
	c     client.Client
	names []string
}

// Handle removes everything, in a dry run too.
func (h *clearing) Handle(ctx context.Context, req admission.Request) admission.Response { // want `^Handle deletes a ConfigMap on dry-run requests too`
	dryRun := req.DryRun != nil && *req.DryRun
	for _, name := range slices.Backward(h.names) {
		_ = h.c.Delete(ctx, configMap(name))
	}
	if !dryRun {
		_ = h.c.Create(ctx, configMap("cleared"))
	}
	return admission.Allowed("")
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
}
