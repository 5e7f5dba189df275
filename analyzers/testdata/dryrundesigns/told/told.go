// Package told passes the dry run to functions that do not check it.
package told

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type plugin interface {
	Execute(ctx context.Context, o Options) error
}

// Options is the argument of plugins.
type Options struct {
	Client client.Client
	DryRun bool
}

type pods struct{}

func (pods) Execute(ctx context.Context, o Options) error {
	if o.DryRun {
		return nil
	}
	return o.Client.Delete(ctx, &corev1.Pod{})
}

type secrets struct{}

func (secrets) Execute(ctx context.Context, o Options) error {
	return o.Client.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}

// Told passes plugins a client that makes only dry runs if dryRun is set.
func Told(ctx context.Context, c client.Client, dryRun bool) error {
	kube := c
	if dryRun {
		kube = client.NewDryRunClient(c)
	}
	for _, p := range quiet {
		if err := p.Execute(ctx, request{Client: kube, DryRun: dryRun}); err != nil {
			return err
		}
	}
	return nil
}

type services struct{}

type request struct {
	Client client.Client
	DryRun bool
}

func (services) Execute(ctx context.Context, r request) error {
	return r.Client.Delete(ctx, &corev1.Service{})
}

var quiet = []executor{services{}}

type executor interface {
	Execute(ctx context.Context, r request) error
}

var plugins = []plugin{pods{}, secrets{}}

func Run(ctx context.Context, c client.Client, dryRun bool) error {
	for _, p := range plugins {
		if err := p.Execute(ctx, Options{Client: c, DryRun: dryRun}); err != nil {
			return err
		}
	}
	return nil
}
