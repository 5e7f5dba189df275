// Package stages has the stages of an installation.
package stages

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Stage is one stage.
type Stage interface {
	Name() string
	Do(ctx context.Context) error
}

// Plan only prints.
type Plan struct{}

func (Plan) Name() string                 { return "plan" }
func (Plan) Do(ctx context.Context) error { return nil }

// Labels changes a node.
type Labels struct{ C client.Client }

func (l Labels) Name() string                 { return "labels" }
func (l Labels) Do(ctx context.Context) error { return l.C.Update(ctx, &corev1.Node{}) }

// Marks changes a node.
type Marks struct{ C client.Client }

func (m Marks) Name() string                 { return "marks" }
func (m Marks) Do(ctx context.Context) error { return m.C.Update(ctx, &corev1.Node{}) }

// Taints changes a node.
type Taints struct{ c client.Client }

func (t Taints) Name() string                 { return "taints" }
func (t Taints) Do(ctx context.Context) error { return t.c.Update(ctx, &corev1.Node{}) }

// NewTaints returns a stage.
func NewTaints(c client.Client, dryRun bool) Stage {
	if dryRun {
		c = client.NewDryRunClient(c)
	}
	return Taints{c}
}

// Prepare does all stages.
func Prepare(ctx context.Context, list ...Stage) error {
	for _, s := range list {
		if err := s.Do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Names prints the names of stages.
func Names(list ...Stage) error {
	for _, s := range list {
		println(s.Name())
	}
	return nil
}
