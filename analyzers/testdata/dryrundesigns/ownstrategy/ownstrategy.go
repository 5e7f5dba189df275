// Package ownstrategy has a strategy of its own, whose type does not say dry run.
package ownstrategy

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Mode says who makes the dry run.
type Mode string

// The modes.
const (
	DryRunNone   Mode = "none"
	DryRunClient Mode = "client"
	DryRunServer Mode = "server"
)

// Annotate patches a Pod.
func Annotate(ctx context.Context, c client.Client, pod *corev1.Pod, mode Mode) error {
	if mode == DryRunClient || mode == DryRunServer {
		return nil
	}
	return c.Update(ctx, pod)
}

// Remove deletes a Pod.
func Remove(ctx context.Context, c client.Client, pod *corev1.Pod, mode Mode) error {
	if mode != DryRunNone {
		println("would delete")
	}
	return c.Delete(ctx, pod) // want "the write ignores mode, so a dry run deletes a Pod"
}
