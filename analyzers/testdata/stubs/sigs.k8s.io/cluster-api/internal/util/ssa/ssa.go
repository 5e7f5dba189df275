// Package ssa has the shape of Cluster API's apply helper, whose manager is a
// plain string. Written by hand: the module itself cannot be loaded alone.
package ssa

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Option interface {
	ApplyToOptions(*Options)
}

type WithDryRun struct{}

func (w WithDryRun) ApplyToOptions(in *Options) { panic("stub") }

type Cache interface {
	Add(key string)
	Has(key, kind string) bool
}

type WithCachingProxy struct {
	Cache    Cache
	Original client.Object
}

func (w WithCachingProxy) ApplyToOptions(in *Options) { panic("stub") }

type Options struct {
	WithDryRun       bool
	WithCachingProxy bool
	Cache            Cache
	Original         client.Object
}

func Patch(ctx context.Context, c client.Client, fieldManager string, modified client.Object, opts ...Option) error {
	panic("stub")
}
