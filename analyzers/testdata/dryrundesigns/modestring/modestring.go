// Package modestring has a mode that is a string. One of its values stands for a
// dry run.
package modestring

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const modeDryRun = "dry-run"

type janitor struct {
	mode string
	c    client.Client
}

func New(c client.Client) *janitor {
	j := &janitor{c: c}
	flag.StringVar(&j.mode, "mode", modeDryRun, "dry-run or enforce")
	return j
}

func (j *janitor) Run(ctx context.Context) error {
	if err := j.pods(ctx); err != nil {
		return err
	}
	return j.claims(ctx)
}

func (j *janitor) pods(ctx context.Context) error {
	if j.mode == modeDryRun {
		return nil
	}
	return j.c.Delete(ctx, &corev1.Pod{})
}

func (j *janitor) claims(ctx context.Context) error {
	return j.c.Delete(ctx, &corev1.PersistentVolumeClaim{}) // want "dry run deletes a PersistentVolumeClaim"
}
