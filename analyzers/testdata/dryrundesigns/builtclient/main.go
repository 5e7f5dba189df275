// Command builtclient takes its client for dry runs from another package.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/builtclient/readonly"
)

type worker struct {
	kube client.Client
	real client.Client
}

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	var c client.Client
	w := newWorker(c, *dryRun)
	ctx := context.Background()
	_ = w.run(ctx, &corev1.Pod{})
	_ = w.bypass(ctx, &corev1.Pod{})
	_ = newHolder(newDeleter(c, *dryRun)).run(ctx, &corev1.Pod{})
	kube := readonly.Traced(c)
	if *dryRun {
		kube = readonly.New(c)
	}
	_ = kube.Delete(ctx, &corev1.Pod{})
	_ = kube.Status().Update(ctx, &corev1.Pod{}) // want "the write ignores --dry-run, so a dry run updates the status of a Pod"
	_ = kube.DeleteAllOf(ctx, &corev1.Pod{})     // want "the write ignores --dry-run, so a dry run deletes every matching Pod"
}

// deleter respects the dry run.
type deleter struct {
	c     client.Client
	print bool
}

func newDeleter(c client.Client, dryRun bool) *deleter { return &deleter{c, dryRun} }

func (d *deleter) delete(ctx context.Context, pod *corev1.Pod) error {
	if d.print {
		return nil
	}
	return d.c.Delete(ctx, pod)
}

type holder struct{ d *deleter }

func newHolder(d *deleter) *holder { return &holder{d} }

func (h *holder) run(ctx context.Context, pod *corev1.Pod) error { return h.d.delete(ctx, pod) }

func newWorker(c client.Client, dryRun bool) *worker {
	kube := c
	if dryRun {
		kube = readonly.New(c)
	}
	return &worker{kube: kube, real: c}
}

func (w *worker) run(ctx context.Context, pod *corev1.Pod) error {
	if err := w.kube.Update(ctx, pod); err != nil {
		return err
	}
	return w.kube.DeleteAllOf(ctx, pod) // want "readOnly.DeleteAllOf is the method of the real client, although newWorker gets another client for dryRun .*, so a dry run deletes every matching Pod; override the method"
}

func (w *worker) bypass(ctx context.Context, pod *corev1.Pod) error {
	return w.real.Delete(ctx, pod) // want "the write does not get --dry-run from main, so a dry run deletes a Pod"
}
