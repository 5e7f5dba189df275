// want package:"has handlers"

// Package behind declares interfaces and converts another package's types to them.
package behind

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/webhookdryrun/behind/pods"
)

// Mutator is implemented by one type.
type Mutator interface {
	Mutate(ctx context.Context, pod *corev1.Pod) error
}

var _ Mutator = (*pods.Mutator)(nil)

// Auditor is passed in by main. The package only says which type implements it.
type Auditor interface {
	Audit(ctx context.Context, pod *corev1.Pod) error
}

var _ Auditor = (*pods.Auditor)(nil)

// Given gets an Auditor.
type Given struct{ Auditor Auditor }

func (g *Given) audits(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^audits creates a Secret \(in Audit\) on dry-run requests too`
	_ = g.Auditor.Audit(ctx, nil)
	return nil
}

type counter interface {
	Count(ctx context.Context) error
}

type handler struct {
	mutators []Mutator
	counter  counter
}

func newHandler(c client.Client, quiet bool) *handler {
	h := &handler{mutators: []Mutator{pods.New(c)}, counter: &pods.Counter{}}
	if quiet {
		h.counter = pods.Printer{}
	}
	return h
}

func (h *handler) mutates(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^mutates creates a Secret \(in Mutate\) on dry-run requests too`
	for _, m := range h.mutators {
		if err := m.Mutate(ctx, nil); err != nil {
			return nil
		}
	}
	return nil
}

func (h *handler) asks(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if req.DryRun == nil || !*req.DryRun {
		_ = h.mutators[0].Mutate(ctx, nil)
	}
	return nil
}

// counts writes unless the program is quiet.
func (h *handler) counts(ctx context.Context, req *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { // want `^counts updates a Pod \(in pods.Counter.Count\) on dry-run requests too`
	_ = h.counter.Count(ctx)
	return nil
}
