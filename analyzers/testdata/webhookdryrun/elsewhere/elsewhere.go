// Package elsewhere has handlers that write through another package.
package elsewhere

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"

	"example.org/clients/webhookdryrun/store"
)

type handler struct{ s *store.Store }

func (h *handler) writes(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^writes updates a Secret \(in Mark\) on dry-run updates too; skip it when req.DryRun is true`
	if req.Operation == admissionv1.Update {
		_ = h.s.Mark(ctx)
	}
	return nil
}

func (h *handler) deeper(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^deeper updates a Secret \(in Mark\) on dry-run requests too`
	h.helper(ctx)
	return nil
}

// twice can run the same write by two calls.
func (h *handler) twice(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^twice updates a Secret \(in Mark\) on dry-run requests too`
	if req.Name == "web" {
		h.helper(ctx)
		return nil
	}
	h.helper(ctx)
	return nil
}

func (h *handler) helper(ctx context.Context) { _ = h.s.Mark(ctx) }

func (h *handler) guarded(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if req.DryRun == nil || !*req.DryRun {
		_ = h.s.Mark(ctx)
	}
	return nil
}

func (h *handler) tells(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = h.s.Maybe(ctx, req.DryRun != nil && *req.DryRun)
	return nil
}

// named passes an object whose kind only this package knows.
func (h *handler) named(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^named updates a Secret \(in Keep\) on dry-run requests too`
	_ = h.s.Keep(ctx, &corev1.Secret{})
	return nil
}

// unstored passes an object that the server may not store.
func (h *handler) unstored(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = h.s.Add(ctx, &authorizationv1.SubjectAccessReview{})
	return nil
}
