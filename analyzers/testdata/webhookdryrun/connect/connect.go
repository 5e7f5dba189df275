// Package connect handles requests to connect, which are never dry runs.
package connect

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func connects(ctx context.Context, c client.Client, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if req.Operation == admissionv1.Connect {
		_ = c.Create(ctx, &corev1.ConfigMap{})
	}
	return nil
}

func deletes(ctx context.Context, c client.Client, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^deletes creates a ConfigMap on dry-run deletes too`
	if req.Operation == admissionv1.Delete {
		_ = c.Create(ctx, &corev1.ConfigMap{})
	}
	return nil
}
