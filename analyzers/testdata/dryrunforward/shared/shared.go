// Package shared has options that several commands share. Only one command has the
// flag for a dry run.
package shared

import (
	"context"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type options struct {
	dryRun bool
	client client.Client
}

func newApplyCommand(c client.Client) *cobra.Command {
	o := &options{client: c}
	cmd := &cobra.Command{
		Use: "apply",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.prepare(cmd.Context()); err != nil {
				return err
			}
			return o.apply(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only print")
	return cmd
}

func newRemoveCommand(c client.Client) *cobra.Command {
	o := &options{client: c}
	return &cobra.Command{
		Use:  "remove",
		RunE: func(cmd *cobra.Command, args []string) error { return o.remove(cmd.Context()) },
	}
}

func (o *options) prepare(ctx context.Context) error {
	return o.client.Create(ctx, &corev1.Namespace{}) // want `the write ignores o.dryRun \(--dry-run\), so a dry run creates a Namespace`
}

func (o *options) apply(ctx context.Context) error {
	if o.dryRun {
		return nil
	}
	return o.client.Create(ctx, &corev1.ConfigMap{})
}

func (o *options) remove(ctx context.Context) error {
	return o.client.Delete(ctx, &corev1.ConfigMap{})
}

type pruneOptions struct {
	dryRun, all bool
	client      client.Client
}

func (o *pruneOptions) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "")
}

func newPruneCommand(c client.Client) *cobra.Command {
	o := &pruneOptions{client: c}
	cmd := &cobra.Command{Use: "prune"}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.sweep(cmd.Context()); err != nil {
			return err
		}
		if o.dryRun {
			return nil
		}
		return c.Delete(cmd.Context(), &corev1.Pod{})
	}
	o.bind(cmd)
	return cmd
}

func newPurgeCommand(c client.Client) *cobra.Command {
	o := &pruneOptions{client: c, all: true}
	cmd := &cobra.Command{Use: "purge"}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.purge(cmd.Context()) }
	return cmd
}

func (o *pruneOptions) sweep(ctx context.Context) error {
	return o.client.Delete(ctx, &corev1.Secret{}) // want `the write ignores o.dryRun \(--dry-run\), so a dry run deletes a Secret`
}

func (o *pruneOptions) purge(ctx context.Context) error {
	return o.client.Delete(ctx, &corev1.Namespace{})
}
