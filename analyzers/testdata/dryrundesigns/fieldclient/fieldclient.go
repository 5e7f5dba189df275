// Package fieldclient keeps a client for dry runs that overrides only some methods.
package fieldclient

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type quietClient struct{ client.Client }

func (quietClient) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	return nil
}

func (quietClient) Delete(ctx context.Context, o client.Object, opts ...client.DeleteOption) error {
	return nil
}

// Worker changes pods.
type Worker struct {
	c     client.Client
	other client.Client
}

// New returns a worker, which changes nothing in a dry run.
func New(c client.Client, dryRun bool) *Worker {
	other := c
	if dryRun {
		c = quietClient{c}
		other = client.NewDryRunClient(other)
	}
	return &Worker{c: c, other: other}
}

// Do changes a pod.
func (w *Worker) Do(ctx context.Context, pod *corev1.Pod) error {
	if err := w.c.Create(ctx, pod); err != nil {
		return err
	}
	if err := w.other.Update(ctx, pod); err != nil {
		return err
	}
	if err := w.c.Delete(ctx, pod); err != nil {
		return err
	}
	return w.c.Patch(ctx, pod, client.MergeFrom(pod)) // want "quietClient.Patch is the method of the real client, although New gets another client for dryRun, so a dry run patches a Pod; override the method"
}
