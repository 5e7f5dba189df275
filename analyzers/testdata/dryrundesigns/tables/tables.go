// Package tables has a table of functions. An argument says which of them run.
package tables

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type cleaner struct {
	c      client.Client
	dryRun bool
}

func Run(ctx context.Context, c client.Client, dryRun bool, kinds []string) error {
	cl := &cleaner{c: c, dryRun: dryRun}
	table := map[string]func(context.Context) error{
		"pods":    cl.pods,
		"secrets": cl.secrets,
	}
	for _, kind := range kinds {
		if err := table[kind](ctx); err != nil {
			return err
		}
	}
	return nil
}

func (cl *cleaner) pods(ctx context.Context) error {
	if cl.dryRun {
		return nil
	}
	return cl.c.Delete(ctx, &corev1.Pod{})
}

func (cl *cleaner) secrets(ctx context.Context) error {
	return cl.c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
