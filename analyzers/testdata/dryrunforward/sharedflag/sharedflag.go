// Package sharedflag has a function that returns its flag, so other packages can
// check the flag before a call.
package sharedflag

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	DryRun  = flag.Bool("dry-run", false, "do nothing")
	preview = flag.Bool("preview-dry-run", false, "do nothing")
	printed = flag.Bool("printed-dry-run", false, "do nothing")
)

// Preview returns the value of the flag.
func Preview() bool { return *preview }

func Prune(ctx context.Context, c client.Client) error {
	if *DryRun || *preview {
		return nil
	}
	if *printed {
		println("dry run")
	}
	return c.Delete(ctx, &corev1.Pod{})
}

func Sweep(ctx context.Context, c client.Client) error {
	return c.Delete(ctx, &corev1.Secret{})
}
