// Package wrappers has clients for dry runs.
package wrappers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// dryRunClient lacks Delete, DeleteAllOf and Patch.
type dryRunClient struct{ client.Client }

func (d dryRunClient) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	return nil
}

func (d dryRunClient) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	return nil
}

func Run(ctx context.Context, c client.Client, dryRun bool) error {
	if dryRun {
		c = dryRunClient{c}
	}
	if err := c.Create(ctx, &corev1.Pod{}); err != nil {
		return err
	}
	return c.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}

// fullClient has all methods that write.
type fullClient struct{ client.Client }

func (d fullClient) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	return nil
}

func (d fullClient) Delete(ctx context.Context, obj client.Object, opts ...client.DeleteOption) error {
	return nil
}

func Full(ctx context.Context, c client.Client, dryRun bool) error {
	if dryRun {
		c = fullClient{c}
	}
	if err := c.Create(ctx, &corev1.Pod{}); err != nil {
		return err
	}
	return c.Delete(ctx, &corev1.Pod{})
}

// readingClient passes writes to a client that makes them dry runs.
type readingClient struct{ client.Client }

func (r readingClient) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	return nil
}

func Reading(ctx context.Context, c client.Client, dryRun bool) error {
	if dryRun {
		c = readingClient{client.NewDryRunClient(c)}
	}
	return c.Delete(ctx, &corev1.Pod{})
}
