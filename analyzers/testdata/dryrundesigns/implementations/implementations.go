// Package implementations calls interfaces that several types implement.
package implementations

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// step is implemented by types that all write in do. Only some write in undo.
type step interface {
	do(ctx context.Context) error
	undo(ctx context.Context) error
}

type label struct{ c client.Client }

func (s *label) do(ctx context.Context) error   { return s.c.Update(ctx, &corev1.Node{}) } // want "the write does not get r.dryRun from Run, so a dry run updates a Node"
func (s *label) undo(ctx context.Context) error { return s.c.Update(ctx, &corev1.Node{}) } // want "the write does not get r.dryRun from Undo, so a dry run updates a Node"

type cordon struct{ c client.Client }

func (s *cordon) do(ctx context.Context) error   { return s.c.Patch(ctx, &corev1.Node{}, nil) } // want "the write does not get r.dryRun from Run, so a dry run patches a Node"
func (s *cordon) undo(ctx context.Context) error { return nil }

type runner struct {
	c      client.Client
	steps  []step
	dryRun bool
}

// New returns a runner.
func New(c client.Client, dryRun bool) *runner {
	return &runner{c: c, dryRun: dryRun, steps: []step{&label{c}, &cordon{c}}}
}

func (r *runner) Run(ctx context.Context) error {
	for _, s := range r.steps {
		if err := s.do(ctx); err != nil {
			return err
		}
	}
	if r.dryRun {
		return nil
	}
	for _, s := range r.steps {
		if err := s.do(ctx); err != nil {
			return err
		}
	}
	return r.c.Delete(ctx, &corev1.Pod{})
}

func (r *runner) Undo(ctx context.Context) error {
	for _, s := range r.steps {
		if err := s.undo(ctx); err != nil {
			return err
		}
	}
	if r.dryRun {
		return nil
	}
	return r.c.Delete(ctx, &corev1.Pod{})
}

// saver is implemented by a type for dry runs.
type saver interface {
	save(ctx context.Context) error
}

type kube struct{ c client.Client }

func (k kube) save(ctx context.Context) error { return k.c.Create(ctx, &corev1.Secret{}) } // want "dry run creates a Secret"

type printer struct{}

func (printer) save(ctx context.Context) error { return nil }

func (r *runner) Save(ctx context.Context, real kube) error {
	var s saver = real
	if r.dryRun {
		s = printer{}
	}
	return s.save(ctx)
}

func (r *runner) Rotate(ctx context.Context, real kube) error {
	if err := rotate(ctx, real); err != nil || r.dryRun {
		return err
	}
	return r.c.Delete(ctx, &corev1.Pod{})
}

func rotate(ctx context.Context, s saver) error { return s.save(ctx) }
