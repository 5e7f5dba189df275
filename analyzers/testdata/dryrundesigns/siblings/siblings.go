// Package siblings has several clients behind one interface.
package siblings

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Client interface {
	Remove(ctx context.Context, name string) error
}

type Plain struct {
	cs     kubernetes.Interface
	dryRun bool
}

func (c *Plain) Remove(ctx context.Context, name string) error {
	return remove(ctx, c.cs, name, c.dryRun)
}

// Federated forgets the dry run.
type Federated struct{ cs kubernetes.Interface }

func (c *Federated) Remove(ctx context.Context, name string) error {
	return remove(ctx, c.cs, name, false) // want "the call of remove passes false for dryRun, unlike Plain.Remove, so a dry run deletes a Secret"
}

// Force has a method of its own, which promises no dry run.
func (c *Federated) Force(ctx context.Context, name string) error {
	return remove(ctx, c.cs, name, false)
}

// Preview always asks for a dry run.
type Preview struct{ cs kubernetes.Interface }

func (c *Preview) Remove(ctx context.Context, name string) error {
	return remove(ctx, c.cs, name, true)
}

func remove(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	options := metav1.DeleteOptions{}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	return cs.CoreV1().Secrets("web").Delete(ctx, name, options)
}
