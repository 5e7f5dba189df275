// Package builtoptions has a method that returns the options for all writes.
package builtoptions

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Config struct {
	Namespace string
	DryRun    bool
}

type Runner struct {
	cfg Config
	cs  kubernetes.Interface
}

func New(cs kubernetes.Interface, cfg Config) *Runner { return &Runner{cfg: cfg, cs: cs} }

func (r *Runner) options() metav1.DeleteOptions {
	o := metav1.DeleteOptions{}
	if r.cfg.DryRun {
		o.DryRun = []string{metav1.DryRunAll}
	}
	return o
}

func (r *Runner) Pods(ctx context.Context) error {
	return r.cs.CoreV1().Pods(r.cfg.Namespace).Delete(ctx, "a", r.options())
}

func (r *Runner) Secrets(ctx context.Context) error {
	return r.cs.CoreV1().Secrets(r.cfg.Namespace).Delete(ctx, "a", metav1.DeleteOptions{}) // want "dry run deletes a Secret"
}

// Purge passes the options on.
func (r *Runner) Purge(ctx context.Context) error {
	return purge(ctx, r.cs, r.options())
}

func purge(ctx context.Context, cs kubernetes.Interface, o metav1.DeleteOptions) error {
	return cs.CoreV1().Secrets("purged").Delete(ctx, "a", o)
}
