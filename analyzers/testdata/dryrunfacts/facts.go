// Package dryrunfacts has functions with facts for importing packages.
package dryrunfacts

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var dryRun = flag.Bool("dry-run", false, "change nothing") // want dryRun:"bound to --dry-run"

// Install has no dry run.
func Install(ctx context.Context, c client.Client) error { // want Install:"writes: creates a Namespace"
	return c.Create(ctx, &corev1.Namespace{})
}

// Twice calls Install.
func Twice(ctx context.Context, c client.Client) error { // want Twice:"writes: creates a Namespace"
	return Install(ctx, c)
}

// Guarded does not call Install in a dry run.
func Guarded(ctx context.Context, c client.Client) error { // want Guarded:"asks"
	if *dryRun {
		return nil
	}
	return Install(ctx, c)
}

// Config is the argument of Uninstall.
type Config struct {
	DryRun  bool
	Preview bool // want Preview:"bound to --dry-run"
	Client  client.Client
}

func (c *Config) bind(fs *flag.FlagSet) {
	fs.BoolVar(&c.Preview, "dry-run", false, "")
}

// Quiet returns the dry run under another name.
func (c *Config) Quiet() bool { return c.DryRun } // want Quiet:"asks" Quiet:"tells of dry run"

// Loud returns the opposite of the dry run.
func (c *Config) Loud() bool { return !c.Preview } // want Loud:"asks" Loud:"tells of no dry run"

// Uninstall respects the dry run.
func Uninstall(ctx context.Context, c *Config) error { // want Uninstall:"asks" Uninstall:"obeys: deletes a Namespace"
	if c.DryRun {
		return nil
	}
	return c.Client.Delete(ctx, &corev1.Namespace{})
}

// Settings are created in another package.
type Settings struct{ DryRun bool }

// Heedless gets the dry run in its settings and checks it too late. The finding is
// in its own package.
func Heedless(ctx context.Context, c client.Client, s Settings) error { // want Heedless:"asks" Heedless:"obeys: deletes a Pod"
	if err := c.Delete(ctx, &corev1.Namespace{}); err != nil {
		return err
	}
	if s.DryRun {
		return nil
	}
	return c.Delete(ctx, &corev1.Pod{})
}

// Careful makes a plan from its settings first, and deletes only the objects in the plan.
func Careful(ctx context.Context, c client.Client, s Settings) error { // want Careful:"asks" Careful:"obeys: deletes a Namespace" Careful:"writes: deletes a Pod"
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
