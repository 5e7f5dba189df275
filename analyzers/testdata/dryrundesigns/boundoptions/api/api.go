// Package api has options with flags.
package api

import (
	"context"

	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Options struct {
	DryRun bool
	Name   string
}

func (o *Options) Bind(flags *pflag.FlagSet) {
	flags.BoolVar(&o.DryRun, "dry-run", false, "change nothing")
	flags.StringVar(&o.Name, "name", "", "the name")
}

func Promote(ctx context.Context, c client.Client, o Options) error {
	if o.DryRun {
		c = client.NewDryRunClient(c)
	}
	return c.Create(ctx, &corev1.Pod{})
}

func Finish(ctx context.Context, c client.Client, name string) error {
	return c.Delete(ctx, &corev1.Pod{})
}

func Quiet(c client.Client, o *Options) client.Client {
	if o.DryRun {
		return client.NewDryRunClient(c)
	}
	return c
}
