// Package iface calls methods of interfaces that its own types implement.
package iface

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type marker interface {
	mark(ctx context.Context) error
}

type onlyMarker struct{ c client.Client }

func (m *onlyMarker) mark(ctx context.Context) error { return m.c.Update(ctx, &corev1.Pod{}) }

type counter interface {
	count(ctx context.Context) error
}

type writingCounter struct{ c client.Client }

func (m *writingCounter) count(ctx context.Context) error { return m.c.Update(ctx, &corev1.Pod{}) }

type plainCounter int

func (m *plainCounter) count(ctx context.Context) error { *m++; return nil }

func marks(ctx context.Context, m marker, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^marks updates a Pod \(in mark\) on dry-run requests too`
	_ = m.mark(ctx)
	return nil
}

func counts(ctx context.Context, m counter, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	_ = m.count(ctx)
	return nil
}
