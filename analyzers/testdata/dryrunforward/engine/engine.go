// Package engine writes for other packages.
package engine

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Install has no dry run.
func Install(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &corev1.Namespace{})
}

// Config is the argument of Uninstall.
type Config struct {
	DryRun bool
	Client client.Client
}

// Quiet returns the dry run under another name.
func (c *Config) Quiet() bool { return c.DryRun }

// Uninstall respects the dry run.
func Uninstall(ctx context.Context, c *Config) error {
	if c.DryRun {
		return nil
	}
	return c.Client.Delete(ctx, &corev1.Namespace{})
}

// Purge ignores the dry run.
func (c *Config) Purge(ctx context.Context) error {
	return c.Client.Delete(ctx, &corev1.Namespace{}) // want `the write ignores c.DryRun, so a dry run deletes a Namespace`
}

// Spec is a part of an API object. DryRun is a field of that object.
type Spec struct{ DryRun bool }

func (s *Spec) DeepCopyInto(out *Spec) { *out = *s }

// Reconcile writes the status of an object that asks for a dry run.
func Reconcile(ctx context.Context, c client.Client, s *Spec) error {
	if s.DryRun {
		_ = 1
	}
	return c.Status().Update(ctx, &corev1.Pod{})
}

// Reconciler writes its plan into the status.
type Reconciler struct {
	client.Client
	DryRun bool
}

func (r *Reconciler) Reconcile(ctx context.Context, pod *corev1.Pod) error {
	if err := r.Status().Update(ctx, pod); err != nil {
		return err
	}
	if err := r.Patch(ctx, pod, client.MergeFrom(pod)); err != nil { // want `the write ignores r.DryRun, so a dry run patches a Pod`
		return err
	}
	if r.DryRun {
		return nil
	}
	return r.Delete(ctx, pod)
}

// Mover stores the dry run in a field during one method.
type Mover struct {
	c      client.Client
	dryRun bool
}

func (m *Mover) Move(ctx context.Context, dryRun bool) error {
	m.dryRun = dryRun
	if err := m.c.Create(ctx, &corev1.Secret{}); err != nil { // want `so a dry run creates a Secret`
		return err
	}
	if m.dryRun {
		return nil
	}
	return m.c.Create(ctx, &corev1.Pod{})
}

func (m *Mover) Restore(ctx context.Context) error {
	return m.c.Create(ctx, &corev1.Pod{})
}

// Save creates or patches.
func Save(ctx context.Context, c client.Client, obj *corev1.ConfigMap, known bool) error {
	if known {
		return c.Patch(ctx, obj, client.Merge)
	}
	return c.Create(ctx, obj)
}

// Grant creates an object whose kind begins with a vowel letter that is not spoken
// as a vowel.
func Grant(ctx context.Context, c client.Client) error { return c.Create(ctx, &User{}) }

// Mark writes a status.
func Mark(ctx context.Context, c client.Client) error {
	return c.Status().Update(ctx, &corev1.Node{})
}

// User is a kind.
type User struct{ corev1.Pod }

// New returns a client that may write nothing.
func New(c client.Client, dryRun bool) *Config { return &Config{DryRun: dryRun, Client: c} }

// Certificates are kept in a Secret.
type Certificates struct{ Maker interface{ Quiet() bool } }

// Rotate writes.
func (r *Certificates) Rotate(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &corev1.Secret{})
}
