// Package jobs sends the dry run through a channel, as a part of each job.
package jobs

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type job struct {
	kind   string
	dryRun bool
}

type Pool struct {
	c    client.Client
	jobs chan job
}

func (p *Pool) Submit(kind string, dryRun bool) { p.jobs <- job{kind: kind, dryRun: dryRun} }

func (p *Pool) Work(ctx context.Context) {
	for j := range p.jobs {
		p.do(ctx, j)
	}
}

func (p *Pool) do(ctx context.Context, j job) {
	switch j.kind {
	case "pod":
		if j.dryRun {
			return
		}
		_ = p.c.Delete(ctx, &corev1.Pod{})
	case "node":
		_ = p.c.Delete(ctx, &corev1.Node{}) // want "dry run deletes a Node"
	}
}
