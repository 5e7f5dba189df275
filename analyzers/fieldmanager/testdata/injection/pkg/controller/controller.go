// Package controller has the signatures of knative's package.
package controller

import "context"

// Reconciler is what a controller runs.
type Reconciler interface {
	Reconcile(ctx context.Context, key string) error
}

// Impl runs a reconciler.
type Impl struct{ reconciler Reconciler }

// NewContext returns a controller that runs a reconciler.
func NewContext(ctx context.Context, r Reconciler) *Impl { return &Impl{r} }
