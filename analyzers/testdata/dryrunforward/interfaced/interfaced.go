// Package interfaced writes through interfaces of another package.
package interfaced

import (
	"context"

	"example.org/clients/dryrunforward/interfaced/kube"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type options struct {
	dryRun    bool
	installer kube.Installer
}

func newOptions(c client.Client) *options { return &options{installer: kube.New(c)} }

func (o *options) run(ctx context.Context, c client.Client) error {
	if err := o.installer.Show(ctx); err != nil {
		return err
	}
	if err := o.installer.Install(ctx); err != nil { // want `the call of Install ignores o.dryRun, so a dry run creates a Namespace`
		return err
	}
	if o.dryRun {
		return nil
	}
	if err := o.installer.Install(ctx); err != nil {
		return err
	}
	return kube.NewCleaner(c, o.dryRun).Clean(ctx)
}

// Run runs the options.
func Run(ctx context.Context, c client.Client) error { return newOptions(c).run(ctx, c) }

// Given gets an Installer that may only print.
func Given(ctx context.Context, i kube.Installer, dryRun bool) error { return i.Install(ctx) }

// Clean uses one of two types.
func Clean(ctx context.Context, c client.Client, dryRun bool) error {
	return kube.NewCleaner(c, dryRun).Clean(ctx)
}
