// Package fixskips has writes that cannot become dry runs, because later code needs their
// effect. The fixes skip these writes.
package fixskips

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The code waits for each object, so a dry run skips each object.
func Each(ctx context.Context, c client.Client, pods []*corev1.Pod, dryRun bool) error {
	for _, p := range pods {
		fmt.Println("pod", p.Name)
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			return err
		}
		for p.Status.Phase != corev1.PodRunning {
			if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
				return err
			}
			time.Sleep(time.Second)
		}
		if err := c.Delete(ctx, p); err != nil { // want `so a dry run deletes a Pod`
			return err
		}
	}
	return c.Delete(ctx, &corev1.Secret{}) // want `so a dry run deletes a Secret`
}

// The code waits after the loop, so the write cannot simply be skipped.
func After(ctx context.Context, c client.Client, pods []*corev1.Pod, dryRun bool) error {
	for _, p := range pods {
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			return err
		}
	}
	for _, p := range pods {
		if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
			return err
		}
	}
	return nil
}

// The loop tries again until the write succeeds.
func Again(ctx context.Context, c client.Client, p *corev1.Pod, dryRun bool) error {
	for i := 0; i < 3; i++ {
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			continue
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err == nil {
			return nil
		}
	}
	return fmt.Errorf("no pod")
}

// The loop has no other end, so a dry run must not continue it.
func Forever(ctx context.Context, c client.Client, p *corev1.Pod, dryRun bool) error {
	for {
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			return err
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
			return err
		}
	}
}

// The return is in a condition, so the last write needs a fix of its own.
func Sometimes(ctx context.Context, c client.Client, p *corev1.Pod, dryRun bool) error {
	if p.Name != "" {
		if err := c.Create(ctx, p); err != nil { // want `so a dry run creates a Pod`
			return err
		}
		if err := c.Get(ctx, client.ObjectKeyFromObject(p), p); err != nil {
			return err
		}
	}
	return c.Delete(ctx, &corev1.Secret{}) // want `so a dry run deletes a Secret`
}
