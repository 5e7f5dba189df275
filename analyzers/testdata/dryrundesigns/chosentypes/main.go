// Command chosentypes has a type that writes and a type for dry runs. The flag is a package
// variable.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	c      client.Client
	dryRun = flag.Bool("dry-run", false, "change nothing")
	prune  = flag.Bool("prune", false, "delete what is not needed")
)

type saver interface {
	enabled() bool
	save(ctx context.Context) error
}

type kube struct{}

func (kube) enabled() bool                  { return true }
func (kube) save(ctx context.Context) error { return c.Create(ctx, &corev1.Secret{}) }

type printer struct{}

func (printer) enabled() bool                  { return true }
func (printer) save(ctx context.Context) error { return nil }

type store struct{ dryRun bool }

func (s store) enabled() bool                  { return !s.dryRun }
func (s store) save(ctx context.Context) error { return c.Create(ctx, &corev1.ConfigMap{}) }

type labels struct{}

func (labels) enabled() bool                  { return true }
func (labels) save(ctx context.Context) error { return c.Update(ctx, &corev1.Node{}) } // want "dry run updates a Node"

type options struct{ remove bool }

func main() {
	flag.Parse()
	ctx := context.Background()
	var s saver = kube{}
	if *dryRun {
		s = printer{}
	}
	if err := s.save(ctx); err != nil {
		panic(err)
	}
	for _, s := range []saver{store{*dryRun}, printer{}, labels{}} {
		if s.enabled() {
			_ = s.save(ctx)
		}
	}
	for range unneeded() {
		_ = c.Delete(ctx, &corev1.Pod{})
	}
	o := options{remove: *prune}
	if *dryRun {
		o.remove = false
	}
	o.run(ctx)
	_ = c.Update(ctx, &corev1.Namespace{}) // want "the write ignores dryRun .*, so a dry run updates a Namespace"
}

// unneeded returns nothing in a dry run.
func unneeded() []corev1.Pod {
	if *dryRun {
		return nil
	}
	return []corev1.Pod{{}}
}

func (o options) run(ctx context.Context) {
	if o.remove {
		_ = c.Delete(ctx, &corev1.Service{})
	}
}
