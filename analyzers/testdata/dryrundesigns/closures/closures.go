// Package closures writes in function literals.
package closures

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Guarded(ctx context.Context, c client.Client, dryRun bool) error {
	remove := func() error { return c.Delete(ctx, &corev1.Pod{}) }
	if dryRun {
		return nil
	}
	return remove()
}

func Ungarded(ctx context.Context, c client.Client, dryRun bool) error {
	remove := func() error { return c.Delete(ctx, &corev1.Secret{}) } // want "dry run deletes a Secret"
	if dryRun {
		println("dry run")
	}
	return remove()
}

func Parallel(ctx context.Context, c client.Client, names []string, dryRun bool) {
	var wg sync.WaitGroup
	for range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if !dryRun {
				_ = c.Delete(ctx, &corev1.Node{})
			}
		}()
	}
	wg.Wait()
}

func ParallelForgets(ctx context.Context, c client.Client, names []string, dryRun bool) {
	var wg sync.WaitGroup
	for range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_ = c.Delete(ctx, &corev1.ConfigMap{}) // want "dry run deletes a ConfigMap"
		}()
	}
	wg.Wait()
	if !dryRun {
		_ = c.Delete(ctx, &corev1.Pod{})
	}
}

func Deferred(ctx context.Context, c client.Client, dryRun bool) error {
	defer func() { _ = c.Delete(ctx, &corev1.Service{}) }() // want "dry run deletes a Service"
	if dryRun {
		return nil
	}
	return c.Create(ctx, &corev1.Pod{})
}
