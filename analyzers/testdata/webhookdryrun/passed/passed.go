// Package passed has handlers that pass objects to functions of another package, which
// create them.
package passed

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/webhookdryrun/passed/shelf"
)

type handler struct {
	client  client.Client
	secrets shelf.Secrets
}

func (h *handler) generic(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^generic creates a Secret \(in Put\) on dry-run requests too`
	_ = h.secrets.Put(ctx, &corev1.Secret{})
	return nil
}

func (h *handler) copies(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^copies creates a Secret \(in Copy\) on dry-run requests too`
	_ = shelf.Copy(ctx, h.secrets, &corev1.Secret{})
	return nil
}

func (h *handler) ensures(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^ensures creates a Namespace \(in Ensure\) on dry-run requests too`
	_ = shelf.Ensure(ctx, h.client, &corev1.Namespace{})
	return nil
}

func (h *handler) labels(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^labels creates a ConfigMap \(in Label\) on dry-run requests too`
	_ = shelf.Label(ctx, h.client)
	return nil
}

// reviews asks the server a question.
func (h *handler) reviews(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = shelf.Ensure(ctx, h.client, &authorizationv1.SubjectAccessReview{})
	return nil
}

// asks does the same in the other package.
func (h *handler) asks(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = shelf.Ask(ctx, h.client, req.UserInfo.Username)
	return nil
}

// untyped may create a review.
func (h *handler) untyped(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = shelf.Ensure(ctx, h.client, &unstructured.Unstructured{})
	return nil
}

// guarded checks the dry run first.
func (h *handler) guarded(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if req.DryRun == nil || !*req.DryRun {
		_ = h.secrets.Put(ctx, &corev1.Secret{})
	}
	return nil
}
