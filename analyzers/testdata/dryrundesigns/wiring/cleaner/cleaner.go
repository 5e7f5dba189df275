// Package cleaner deletes objects. Its types get the dry run when they are built.
package cleaner

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Cleaner deletes namespaces.
type Cleaner struct {
	dryRun bool
	cs     kubernetes.Interface
}

// New returns a Cleaner.
func New(cs kubernetes.Interface, dryRun bool) *Cleaner { return &Cleaner{dryRun: dryRun, cs: cs} }

// Clean deletes a ConfigMap.
func (c *Cleaner) Clean(ctx context.Context, name string) error {
	if c.dryRun {
		return nil
	}
	return c.cs.CoreV1().ConfigMaps("a").Delete(ctx, name, metav1.DeleteOptions{})
}

// Options are the options of a Pruner.
type Options struct {
	Client kubernetes.Interface
	DryRun bool
}

// Pruner deletes Pods.
type Pruner struct{ opts Options }

// NewPruner returns a Pruner.
func NewPruner(opts Options) (*Pruner, error) { return &Pruner{opts: opts}, nil }

// Prune deletes a Pod.
func (p *Pruner) Prune(ctx context.Context, name string) error {
	if !p.opts.DryRun {
		return p.opts.Client.CoreV1().Pods("a").Delete(ctx, name, metav1.DeleteOptions{})
	}
	return nil
}

// Reader lists Pods. Its dry run is for output only.
type Reader struct {
	dryRun bool
	cs     kubernetes.Interface
}

// NewReader returns a Reader.
func NewReader(cs kubernetes.Interface, dryRun bool) *Reader { return &Reader{dryRun, cs} }

// Count lists Pods.
func (r *Reader) Count(ctx context.Context) int {
	if r.dryRun {
		println("dry run")
	}
	list, err := r.cs.CoreV1().Pods("a").List(ctx, metav1.ListOptions{})
	if err != nil {
		return 0
	}
	return len(list.Items)
}
