// Package provider declares the interface of mutators.
package provider

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Request is the argument of a mutator.
type Request struct {
	Pod    *corev1.Pod
	Client client.Client
	DryRun bool
}

// Mutator changes pods.
type Mutator interface {
	MutatePod(ctx context.Context, r Request) error
}
