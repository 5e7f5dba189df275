// Package predicates has a method that reports the dry run.
package predicates

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Cleaner struct {
	c      client.Client
	policy string
}

func New(c client.Client, policy string) *Cleaner { return &Cleaner{c, policy} }

func (cl *Cleaner) isDryRun() bool { return cl.policy != "enforce" }

func (cl *Cleaner) Run(ctx context.Context) error {
	if err := cl.pods(ctx); err != nil {
		return err
	}
	return cl.secrets(ctx)
}

func (cl *Cleaner) pods(ctx context.Context) error {
	if cl.isDryRun() {
		return nil
	}
	return cl.c.Delete(ctx, &corev1.Pod{})
}

func (cl *Cleaner) secrets(ctx context.Context) error {
	return cl.c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
