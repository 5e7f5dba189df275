// Package deleters passes its client to a type that does not get the dry run.
package deleters

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type Reconciler struct {
	client.Client
	DryRun bool
}

type deleter struct{ c client.Client }

func (d *deleter) remove(ctx context.Context) error {
	return d.c.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}

type quiet struct{ c client.Client }

func (d *quiet) remove(ctx context.Context) error { return d.c.Delete(ctx, &corev1.Pod{}) }

func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	d := &deleter{r.Client}
	if err := d.remove(ctx); err != nil {
		return reconcile.Result{}, err
	}
	c := r.Client
	if r.DryRun {
		c = client.NewDryRunClient(c)
	}
	q := &quiet{c}
	return reconcile.Result{}, q.remove(ctx)
}
