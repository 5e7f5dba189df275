// Command functional sets the dry run by a functional option.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type option func(*cleaner)

func withDryRun(on bool) option { return func(c *cleaner) { c.dryRun = on } }

type cleaner struct {
	c      client.Client
	dryRun bool
}

func newCleaner(c client.Client, opts ...option) *cleaner {
	l := &cleaner{c: c}
	for _, o := range opts {
		o(l)
	}
	return l
}

func (l *cleaner) clean(ctx context.Context) error {
	if l.dryRun {
		return nil
	}
	return l.c.Delete(ctx, &corev1.Pod{})
}

func (l *cleaner) purge(ctx context.Context) error {
	return l.c.DeleteAllOf(ctx, &corev1.Secret{}) // want "dry run deletes"
}

func main() {
	dryRun := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	var c client.Client
	l := newCleaner(c, withDryRun(*dryRun))
	_ = l.clean(context.Background())
	_ = l.purge(context.Background())
}
