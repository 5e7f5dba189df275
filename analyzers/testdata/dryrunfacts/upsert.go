package dryrunfacts

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Upsert checks whether the Pod exists, and respects the dry run only if it does not exist.
func Upsert(ctx context.Context, c client.Client, s Settings) (*corev1.Pod, error) { // want Upsert:"asks" Upsert:"obeys: creates a Pod" Upsert:"writes heedlessly: updates a Pod"
	var pod corev1.Pod
	var exists bool
	if err := c.Get(ctx, client.ObjectKey{}, &pod); err != nil {
		if !apierrors.IsNotFound(err) {
			return nil, err
		}
		pod.Name = "web"
	} else {
		exists = true
	}
	var dryRun []string
	if s.DryRun {
		dryRun = []string{"All"}
	}
	if exists {
		if err := c.Update(ctx, &pod); err != nil {
			return nil, err
		}
		return &pod, nil
	}
	return &pod, c.Create(ctx, &pod, &client.CreateOptions{DryRun: dryRun})
}

// UpsertByUID uses the UID to see whether the Pod exists.
func UpsertByUID(ctx context.Context, c client.Client, s *Settings) error { // want UpsertByUID:"asks" UpsertByUID:"obeys: creates a Pod"
	var pod corev1.Pod
	if err := c.Get(ctx, client.ObjectKey{}, &pod); client.IgnoreNotFound(err) != nil {
		return err
	}
	if pod.UID != "" {
		return c.Update(ctx, &pod)
	}
	if s.DryRun {
		return nil
	}
	return c.Create(ctx, &pod)
}

// Planned decides by the dry run whether to write.
func Planned(ctx context.Context, c client.Client, s Settings) error { // want Planned:"asks" Planned:"obeys: updates a Pod"
	var pod corev1.Pod
	var changes bool
	if err := c.Get(ctx, client.ObjectKey{}, &pod); err == nil {
		changes = !s.DryRun
	}
	if changes {
		return c.Update(ctx, &pod)
	}
	return nil
}

// Chosen decides by the dry run whether to read the Pod.
func Chosen(ctx context.Context, c client.Client, s Settings) error { // want Chosen:"asks" Chosen:"obeys: updates a Pod"
	var pod corev1.Pod
	exists := false
	if s.DryRun {
		pod.Name = "web"
	} else if err := c.Get(ctx, client.ObjectKey{}, &pod); err == nil {
		exists = true
	}
	if exists {
		return c.Update(ctx, &pod)
	}
	return nil
}
