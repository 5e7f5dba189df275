// Package workers has loops in goroutines.
package workers

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Config struct {
	DryRun   bool
	Interval time.Duration
}

type pool struct {
	cfg  Config
	c    client.Client
	work chan *corev1.Pod
}

func Start(ctx context.Context, c client.Client, cfg Config) {
	p := &pool{cfg: cfg, c: c, work: make(chan *corev1.Pod)}
	for range 3 {
		go p.worker(ctx)
	}
	go p.reaper(ctx)
}

func (p *pool) worker(ctx context.Context) {
	for pod := range p.work {
		if p.cfg.DryRun {
			continue
		}
		_ = p.c.Delete(ctx, pod)
	}
}

func (p *pool) reaper(ctx context.Context) {
	ticker := time.NewTicker(p.cfg.Interval)
	for range ticker.C {
		_ = p.c.DeleteAllOf(ctx, &corev1.Secret{}) // want "dry run deletes every matching Secret"
	}
}
