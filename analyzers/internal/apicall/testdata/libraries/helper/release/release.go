// Package release has actions that write in several ways.
package release

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Uninstall writes a note, and then deletes.
type Uninstall struct{ Client kubernetes.Interface }

// Run deletes.
func (u *Uninstall) Run(ctx context.Context, s *corev1.Secret) error {
	if err := note(ctx, u.Client, s); err != nil {
		return err
	}
	return u.Client.CoreV1().Secrets("web").Delete(ctx, s.Name, metav1.DeleteOptions{})
}

// Rollback creates a revision, and then updates.
type Rollback struct{ Client kubernetes.Interface }

// Run updates.
func (r *Rollback) Run(ctx context.Context, s *corev1.Secret) error {
	if _, err := r.Client.CoreV1().Secrets("web").Create(ctx, s, metav1.CreateOptions{}); err != nil {
		return err
	}
	return note(ctx, r.Client, s)
}

// RemoveFinalizer only updates. It deletes nothing.
func RemoveFinalizer(ctx context.Context, c kubernetes.Interface, s *corev1.Secret) error {
	return note(ctx, c, s)
}

// InstallAll updates a record first, and then creates.
func InstallAll(ctx context.Context, c kubernetes.Interface, s *corev1.Secret) error {
	if _, err := c.CoreV1().Secrets("web").Update(ctx, s, metav1.UpdateOptions{}); err != nil {
		return err
	}
	_, err := c.CoreV1().Secrets("web").Create(ctx, s, metav1.CreateOptions{})
	return err
}

func note(ctx context.Context, c kubernetes.Interface, s *corev1.Secret) error {
	_, err := c.CoreV1().Secrets("web").Update(ctx, s, metav1.UpdateOptions{})
	return err
}

// Back and Forth implement a step.
type (
	Back  struct{ Client kubernetes.Interface }
	Forth struct{ Client kubernetes.Interface }
)

// Step deletes.
func (b *Back) Step(ctx context.Context, s *corev1.Secret) error {
	return b.Client.CoreV1().Secrets("web").Delete(ctx, s.Name, metav1.DeleteOptions{})
}

// Step creates.
func (f *Forth) Step(ctx context.Context, s *corev1.Secret) error {
	_, err := f.Client.CoreV1().Secrets("web").Create(ctx, s, metav1.CreateOptions{})
	return err
}

// Cordon updates for real, although the function that it calls knows dry runs.
func Cordon(ctx context.Context, c kubernetes.Interface, s *corev1.Secret) error {
	return replace(ctx, c, s, false)
}

// Replace updates.
func Replace(ctx context.Context, c kubernetes.Interface, s *corev1.Secret, serverDryRun bool) error {
	return replace(ctx, c, s, serverDryRun)
}

func replace(ctx context.Context, c kubernetes.Interface, s *corev1.Secret, serverDryRun bool) error {
	opts := metav1.UpdateOptions{}
	if serverDryRun {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	_, err := c.CoreV1().Secrets("web").Update(ctx, s, opts)
	return err
}
