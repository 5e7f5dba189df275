// Command elected runs its loop while it is the leader.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/leaderelection"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	var dryRun bool
	flag.BoolVar(&dryRun, "dry-run", false, "change nothing")
	flag.Parse()
	var c client.Client
	ctl := newController(c, dryRun)
	leaderelection.RunOrDie(context.Background(), leaderelection.LeaderElectionConfig{
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) { ctl.run(ctx) },
			OnStoppedLeading: func() {},
		},
	})
}

type controller struct {
	c      client.Client
	dryRun bool
}

func newController(c client.Client, dryRun bool) *controller {
	return &controller{c: c, dryRun: dryRun}
}

func (ctl *controller) run(ctx context.Context) {
	ctl.pods(ctx)
	ctl.leases(ctx)
}

func (ctl *controller) pods(ctx context.Context) {
	if !ctl.dryRun {
		_ = ctl.c.Delete(ctx, &corev1.Pod{})
	}
}

func (ctl *controller) leases(ctx context.Context) {
	_ = ctl.c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
