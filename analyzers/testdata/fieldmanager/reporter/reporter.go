// Package reporter offers writes and reads. // want package:"4 nameless writes"
package reporter

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Reporter reads, and reports.
type Reporter struct {
	aggregator aggregator
	saver      saver
}

type aggregator struct{ client client.Client }

type saver struct{ client client.Client }

// New makes one.
func New(c client.Client) Reporter {
	return Reporter{aggregator: aggregator{client: c}, saver: saver{client: c}}
}

// Get reads.
func (r Reporter) Get(ctx context.Context, pod *corev1.Pod) error {
	return r.aggregator.client.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

// Report writes.
func (r Reporter) Report(ctx context.Context, pod *corev1.Pod) error { // want Report:"reaches 1 nameless writes"
	if err := r.Get(ctx, pod); err != nil {
		return err
	}
	return r.saver.save(ctx, pod)
}

func (s saver) save(ctx context.Context, pod *corev1.Pod) error {
	return s.client.Update(ctx, pod)
}

// Step is one of several, which the caller chooses.
type Step interface {
	Run(ctx context.Context, c client.Client, pod *corev1.Pod) error
}

// Wait is a step that reads.
type Wait struct{}

// Run reads.
func (*Wait) Run(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	return c.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

// Install is a step that writes.
type Install struct{}

// Run writes.
func (*Install) Run(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want Run:"reaches 1 nameless writes"
	return c.Create(ctx, pod)
}

// RunAll runs steps.
func RunAll(ctx context.Context, c client.Client, pod *corev1.Pod, steps ...Step) error {
	for _, s := range steps {
		if err := s.Run(ctx, c, pod); err != nil {
			return err
		}
	}
	return nil
}

// Store hides its type.
type Store interface {
	Load(ctx context.Context, pod *corev1.Pod) error
	Save(ctx context.Context, pod *corev1.Pod) error // want Save:"reaches 1 nameless writes"
}

type store struct{ c client.Client }

// NewStore makes a store.
func NewStore(c client.Client) Store { return &store{c: c} }

func (s *store) Load(ctx context.Context, pod *corev1.Pod) error {
	return s.c.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

func (s *store) Save(ctx context.Context, pod *corev1.Pod) error { // want Save:"reaches 1 nameless writes"
	return s.c.Update(ctx, pod)
}

// Chosen uses a client that the caller may have chosen.
func Chosen(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want Chosen:"reaches 1 nameless writes"
	return c.Update(ctx, pod)
}
