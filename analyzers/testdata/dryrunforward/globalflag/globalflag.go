// Package globalflag declares a flag for the programs that import it. These
// programs cannot see the variable.
package globalflag

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	dryRun = flag.Bool("dry-run", false, "do nothing")
	// nobody is read, but no write depends on it.
	nobody = flag.Bool("nobody-dry-run", false, "do nothing")
)

func Prune(ctx context.Context, c client.Client) error {
	if *dryRun {
		return nil
	}
	return c.Delete(ctx, &corev1.Pod{})
}

func Sweep(ctx context.Context, c client.Client) error {
	if *dryRun {
		println("dry run")
	}
	return c.Delete(ctx, &corev1.Secret{}) // want `the write ignores dryRun \(--dry-run\), so a dry run deletes a Secret`
}

type Cleaner struct{ c client.Client }

func (l *Cleaner) Run(ctx context.Context) error {
	if *dryRun {
		println("dry run")
	}
	return l.clean(ctx)
}

func (l *Cleaner) clean(ctx context.Context) error {
	return l.c.Update(ctx, &corev1.Node{}) // want `the write ignores dryRun \(--dry-run\), so a dry run updates a Node`
}

// Other packages may call Drop without a dry run.
func Drop(ctx context.Context, c client.Client) error { return c.Delete(ctx, &corev1.Secret{}) }

// remove is called only after a guard.
func remove(ctx context.Context, c client.Client) error { return c.Delete(ctx, &corev1.Pod{}) }

func All(ctx context.Context, c client.Client) error {
	if *dryRun || *nobody {
		return nil
	}
	return remove(ctx, c)
}
