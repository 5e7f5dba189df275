// Package edit has functions that write with several verbs.
package edit

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Editor edits a Pod.
type Editor struct {
	Client client.Client
	New    bool
}

// Run creates the Pod or patches it.
func (e *Editor) Run(ctx context.Context, pod *corev1.Pod) error {
	if e.New {
		return e.create(ctx, pod)
	}
	return e.patch(ctx, pod)
}

// Again runs the editor.
func (e *Editor) Again(ctx context.Context, pod *corev1.Pod) error { return e.Run(ctx, pod) }

// Patch patches the Pod, and creates it if necessary.
func (e *Editor) Patch(ctx context.Context, pod *corev1.Pod) error { return e.Run(ctx, pod) }

func (e *Editor) create(ctx context.Context, pod *corev1.Pod) error { return e.Client.Create(ctx, pod) }

func (e *Editor) patch(ctx context.Context, pod *corev1.Pod) error {
	return e.Client.Patch(ctx, pod, client.MergeFrom(pod.DeepCopy()))
}

// Store creates the Pod or updates it.
func Store(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	if pod.UID == "" {
		return c.Create(ctx, pod)
	}
	return c.Update(ctx, pod)
}

// Start creates the Pod, and then writes its status.
func Start(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	if err := c.Create(ctx, pod); err != nil {
		return err
	}
	return c.Status().Update(ctx, pod)
}

// Move creates one Pod and updates the other.
func Move(ctx context.Context, c client.Client, to, from *corev1.Pod) error {
	if err := c.Create(ctx, to); err != nil {
		return err
	}
	return c.Update(ctx, from)
}
