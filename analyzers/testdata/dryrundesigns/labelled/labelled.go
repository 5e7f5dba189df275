// Package labelled has controllers that read their dry run for output only, because the
// program may give them a client that makes dry runs.
package labelled

import (
	"context"
	"log"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Releaser deletes claims, and logs the dry run as a label.
type Releaser struct {
	client.Client
	DryRun bool
}

// Release deletes a claim.
func (r *Releaser) Release(ctx context.Context, claim *corev1.Pod) error {
	if err := r.Delete(ctx, claim); err != nil {
		return err
	}
	log.Print("released", map[string]string{"dryrun": strconv.FormatBool(r.DryRun)})
	return nil
}

// Logger deletes Pods.
type Logger struct {
	client.Client
	DryRun bool
}

// Release deletes a Pod.
func (l *Logger) Release(ctx context.Context, pod *corev1.Pod) error {
	log.Print("release", l.DryRun)
	return l.Delete(ctx, pod)
}

// Checker deletes Pods and checks the dry run before the first deletion only.
type Checker struct {
	client.Client
	DryRun bool
}

// Release deletes two Pods.
func (c *Checker) Release(ctx context.Context, first, second *corev1.Pod) error {
	if !c.DryRun {
		if err := c.Delete(ctx, first); err != nil {
			return err
		}
	}
	return c.Delete(ctx, second) // want "the write ignores c.DryRun, so a dry run deletes a Pod; skip the write or pass client.DryRunAll$"
}
