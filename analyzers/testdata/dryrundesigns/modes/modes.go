// Package modes has a dry run as one of its modes.
package modes

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Mode string

const (
	ModeApply  Mode = "apply"
	ModeDryRun Mode = "dry-run"
)

type Runner struct {
	Mode Mode
	c    client.Client
}

func (r *Runner) Pods(ctx context.Context) error {
	if r.Mode == ModeDryRun {
		return nil
	}
	return r.c.Delete(ctx, &corev1.Pod{})
}

func (r *Runner) Secrets(ctx context.Context) error {
	if r.Mode == ModeDryRun {
		println("would delete")
	}
	return r.c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
