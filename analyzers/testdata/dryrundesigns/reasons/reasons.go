// Package reasons compares texts that may depend on the dry run.
package reasons

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Options are the options of Prune.
type Options struct{ DryRun bool }

func reason(o Options) string {
	if o.DryRun {
		return "dry run"
	}
	return ""
}

// Prune deletes objects.
func Prune(ctx context.Context, c client.Client, o Options) error {
	if !o.DryRun {
		if err := c.Delete(ctx, &corev1.Secret{}); err != nil {
			return err
		}
	}
	if reason(o) == "" {
		return c.Delete(ctx, &corev1.Pod{})
	}
	return nil
}

func described(name func() string, o Options) string {
	if o.DryRun {
		return "would delete " + name()
	}
	return name()
}

// PruneNamed deletes objects with a name.
func PruneNamed(ctx context.Context, c client.Client, o Options, name func() string) error {
	if !o.DryRun {
		if err := c.Delete(ctx, &corev1.Secret{}); err != nil {
			return err
		}
	}
	if described(name, o) == "" {
		return nil
	}
	return c.Delete(ctx, &corev1.Pod{})
}
