// Package kube has an interface that one type implements, and one that two types implement.
package kube

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Installer installs.
type Installer interface {
	Install(ctx context.Context) error
	Show(ctx context.Context) error
}

// New returns an Installer.
func New(c client.Client) Installer { return &installer{c} }

type installer struct{ c client.Client }

func (i *installer) Install(ctx context.Context) error { return i.c.Create(ctx, &corev1.Namespace{}) }

func (i *installer) Show(ctx context.Context) error { return i.c.Get(ctx, client.ObjectKey{}, nil) }

// Cleaner is implemented by two types.
type Cleaner interface {
	Clean(ctx context.Context) error
}

type cleaner struct{ c client.Client }

func (c *cleaner) Clean(ctx context.Context) error { return c.c.Delete(ctx, &corev1.Secret{}) }

type printer struct{}

func (printer) Clean(ctx context.Context) error { return nil }

// NewCleaner returns one of the two types.
func NewCleaner(c client.Client, dryRun bool) Cleaner {
	if dryRun {
		return printer{}
	}
	return &cleaner{c}
}
