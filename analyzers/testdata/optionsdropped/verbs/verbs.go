// Package verbs writes with other verbs than those of the caller's options.
package verbs

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Saver writes pods.
type Saver struct{ client.Client }

// Create also writes the status, for which the caller's options have the wrong type.
func (s *Saver) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	if err := s.Client.Create(ctx, obj, opts...); err != nil {
		return err
	}
	return s.Status().Update(ctx, obj)
}

// Update does not use the caller's options at all.
func (s *Saver) Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error {
	return s.Status().Update(ctx, obj) // want `so a dry run updates the status of an object; read DryRun from \(&client\.UpdateOptions\{\}\)\.ApplyOptions\(opts\)$`
}

// CreateTwice could use the caller's options for both writes.
func (s *Saver) CreateTwice(ctx context.Context, pod *corev1.Pod, opts ...client.CreateOption) error {
	if err := s.Client.Create(ctx, pod, opts...); err != nil {
		return err
	}
	return s.Client.Create(ctx, &corev1.Pod{}) // want `the write drops the caller's opts, so a dry run creates a Pod; pass them on$`
}

// Patch has a single option.
func (s *Saver) Patch(ctx context.Context, obj client.Object, opt client.PatchOption) error {
	return s.Client.Create(ctx, obj) // want `read DryRun from \(&client\.PatchOptions\{\}\)\.ApplyOptions\(\[\]client\.PatchOption\{opt\}\)$`
}

// Replace could copy the field of the caller's options.
func (s *Saver) Replace(ctx context.Context, pod *corev1.Pod, opts *client.UpdateOptions) error {
	if err := s.Client.Update(ctx, pod, opts); err != nil {
		return err
	}
	return s.Client.Create(ctx, &corev1.Pod{}) // want `so a dry run creates a Pod; pass on opts\.DryRun$`
}

// ReplaceTwice has options for both writes.
func (s *Saver) ReplaceTwice(ctx context.Context, pod *corev1.Pod, opts *client.UpdateOptions) error {
	if err := s.Client.Update(ctx, pod, opts); err != nil {
		return err
	}
	return s.Client.Update(ctx, &corev1.Pod{}) // want `so a dry run updates a Pod; pass them on$`
}
