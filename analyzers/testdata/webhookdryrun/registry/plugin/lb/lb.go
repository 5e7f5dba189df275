// Package lb has plugins.
package lb

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/webhookdryrun/registry/plugin"
)

func init() {
	plugin.Register(&balancer{})
	plugin.Register(reader{})
}

// balancer writes in all methods. Only Updated can be told not to write.
type balancer struct{ c client.Client }

func (*balancer) Name() string { return "lb" }

func (b *balancer) Added(ctx context.Context, pod *corev1.Pod) error { return b.service(ctx) }

func (b *balancer) Updated(ctx context.Context, pod *corev1.Pod, dryRun bool) error {
	if dryRun {
		return nil
	}
	return b.service(ctx)
}

func (b *balancer) Deleted(ctx context.Context, pod *corev1.Pod) error {
	return b.c.Delete(ctx, &corev1.Service{})
}

func (b *balancer) service(ctx context.Context) error { return b.c.Create(ctx, &corev1.Service{}) }

type reader struct{}

func (reader) Name() string                                                    { return "" }
func (reader) Added(ctx context.Context, pod *corev1.Pod) error                { return nil }
func (reader) Updated(ctx context.Context, pod *corev1.Pod, dryRun bool) error { return nil }
func (reader) Deleted(ctx context.Context, pod *corev1.Pod) error              { return nil }
