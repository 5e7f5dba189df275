// Command cronjobs runs jobs on a schedule.
package main

import (
	"context"
	"flag"

	"github.com/robfig/cron/v3"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type janitor struct {
	c      client.Client
	dryRun bool
}

func (j *janitor) Run() {
	ctx := context.Background()
	j.pods(ctx)
	j.claims(ctx)
}

func (j *janitor) pods(ctx context.Context) {
	if j.dryRun {
		return
	}
	_ = j.c.Delete(ctx, &corev1.Pod{})
}

func (j *janitor) claims(ctx context.Context) {
	_ = j.c.Delete(ctx, &corev1.PersistentVolumeClaim{}) // want "dry run deletes a PersistentVolumeClaim"
}

type sweeper struct {
	c      client.Client
	dryRun bool
}

func (s *sweeper) sweep() {
	if s.dryRun {
		return
	}
	_ = s.c.Delete(context.Background(), &corev1.Secret{})
}

func main() {
	dry := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	var kube client.Client
	j := &janitor{c: kube, dryRun: *dry}
	s := &sweeper{c: kube, dryRun: *dry}
	c := cron.New()
	_, _ = c.AddJob("@daily", j)
	_, _ = c.AddFunc("@daily", s.sweep)
	c.Start()
}
