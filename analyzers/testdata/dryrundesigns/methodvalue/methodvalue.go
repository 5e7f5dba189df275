// Package methodvalue chooses a method value by the dry run.
package methodvalue

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Cleaner struct {
	c      client.Client
	dryRun bool
}

func (l *Cleaner) Pods(ctx context.Context, names []string) error {
	act := l.remove
	if l.dryRun {
		act = l.print
	}
	for range names {
		if err := act(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (l *Cleaner) Secrets(ctx context.Context, names []string) error {
	act := l.drop
	if l.dryRun {
		println("dry run")
	}
	for range names {
		if err := act(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (l *Cleaner) remove(ctx context.Context) error { return l.c.Delete(ctx, &corev1.Pod{}) }

func (l *Cleaner) drop(ctx context.Context) error {
	return l.c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}

func (l *Cleaner) print(ctx context.Context) error { println("would delete"); return nil }
