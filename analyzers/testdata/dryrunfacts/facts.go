// Package dryrunfacts holds what importers are told of.
package dryrunfacts

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var dryRun = flag.Bool("dry-run", false, "change nothing") // want dryRun:"bound to --dry-run"

// Install knows of no dry run.
func Install(ctx context.Context, c client.Client) error { // want Install:"writes: creates a Namespace"
	return c.Create(ctx, &corev1.Namespace{})
}

// Twice reaches it.
func Twice(ctx context.Context, c client.Client) error { // want Twice:"writes: creates a Namespace"
	return Install(ctx, c)
}

// Guarded does not, while the wish holds.
func Guarded(ctx context.Context, c client.Client) error { // want Guarded:"asks"
	if *dryRun {
		return nil
	}
	return Install(ctx, c)
}

// Config is what Uninstall is told.
type Config struct {
	DryRun  bool
	Preview bool // want Preview:"bound to --dry-run"
	Client  client.Client
}

func (c *Config) bind(fs *flag.FlagSet) {
	fs.BoolVar(&c.Preview, "dry-run", false, "")
}

// Quiet tells of the wish without the name.
func (c *Config) Quiet() bool { return c.DryRun } // want Quiet:"asks" Quiet:"tells of dry run"

// Loud tells of its absence.
func (c *Config) Loud() bool { return !c.Preview } // want Loud:"asks" Loud:"tells of no dry run"

// Uninstall knows of it.
func Uninstall(ctx context.Context, c *Config) error { // want Uninstall:"asks"
	if c.DryRun {
		return nil
	}
	return c.Client.Delete(ctx, &corev1.Namespace{})
}

// Settings are made elsewhere.
type Settings struct{ DryRun bool }

// Heedless gets the wish with its settings, and looks at it too late. Its own package
// reports it.
func Heedless(ctx context.Context, c client.Client, s Settings) error { // want Heedless:"asks"
	if err := c.Delete(ctx, &corev1.Namespace{}); err != nil {
		return err
	}
	if s.DryRun {
		return nil
	}
	return c.Delete(ctx, &corev1.Pod{})
}

// Careful looks at the wish first, and deletes what a plan made with it holds.
func Careful(ctx context.Context, c client.Client, s Settings) error { // want Careful:"asks" Careful:"writes: deletes a Pod"
	for _, name := range plan(s) {
		if name != "" {
			if err := c.Delete(ctx, &corev1.Pod{}); err != nil {
				return err
			}
		}
	}
	if s.DryRun {
		return nil
	}
	return c.Delete(ctx, &corev1.Namespace{})
}

func plan(s Settings) []string {
	if s.DryRun {
		return []string{""}
	}
	return []string{"a", "b"}
}
