// Package helper checks the request with functions of another package.
package helper

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/webhookdryrun/ask"
)

func skips(ctx context.Context, c client.Client, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if ask.Skip(req) {
		return nil
	}
	_ = c.Create(ctx, &corev1.Pod{})
	return nil
}

func knows(ctx context.Context, c client.Client, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `knows creates a Pod`
	if !ask.Known(req) {
		return nil
	}
	_ = c.Create(ctx, &corev1.Pod{})
	return nil
}
