// Command otherparam passes the dry run to parameters with other names.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	verbose := flag.Bool("verbose", false, "say more")
	flag.Parse()
	var c client.Client
	ctx := context.Background()
	_ = upsert(ctx, c, &corev1.ConfigMap{}, *dryRun)
	_ = upsert(ctx, c, &corev1.Secret{}, false) // want "the call of upsert passes false instead of --dry-run for the parameter noop, so a dry run creates an object; pass the dry run on"
	_ = upsert(ctx, c, &corev1.Secret{}, true)
	if !*dryRun {
		_ = upsert(ctx, c, &corev1.Secret{}, false)
		_ = skip(ctx, c, &corev1.Secret{}, false)
		_ = skip(ctx, c, &corev1.Secret{}, *verbose)
	}
}

func upsert(ctx context.Context, c client.Client, o client.Object, noop bool) error {
	if noop {
		println("would create", o.GetName())
		return nil
	}
	return c.Create(ctx, o)
}

func skip(ctx context.Context, c client.Client, o client.Object, quiet bool) error {
	if quiet {
		return nil
	}
	return c.Create(ctx, o)
}
