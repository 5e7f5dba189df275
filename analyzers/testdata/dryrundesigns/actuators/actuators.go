// Package actuators has an interface for its actions, and a type for dry runs.
package actuators

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Actuator interface {
	Cordon(ctx context.Context, node *corev1.Node) error
	Drain(ctx context.Context, node *corev1.Node) error
}

type kube struct{ c client.Client }

func (k *kube) Cordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = true
	return k.c.Update(ctx, node) // want "dry run updates a Node"
}

func (k *kube) Drain(ctx context.Context, node *corev1.Node) error {
	return k.c.DeleteAllOf(ctx, &corev1.Pod{})
}

// dry does not drain. Cordon is a method of the embedded type.
type dry struct{ Actuator }

func (d *dry) Drain(ctx context.Context, node *corev1.Node) error { return nil }

func Run(ctx context.Context, c client.Client, dryRun bool) error {
	var a Actuator = &kube{c}
	if dryRun {
		a = &dry{a}
	}
	node := &corev1.Node{}
	if err := a.Cordon(ctx, node); err != nil {
		return err
	}
	return a.Drain(ctx, node)
}
