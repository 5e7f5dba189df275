// Package grouped has a flag for one group of commands.
package grouped

import (
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type options struct {
	dryRun bool
	client client.Client
}

func New(c client.Client) *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	root.AddCommand(database(c), cache(c))
	return root
}

func database(c client.Client) *cobra.Command {
	o := &options{client: c}
	db := &cobra.Command{Use: "db"}
	db.PersistentFlags().BoolVar(&o.dryRun, "dry-run", false, "change nothing")
	db.AddCommand(
		&cobra.Command{Use: "create", RunE: o.create},
		&cobra.Command{Use: "drop", RunE: o.drop},
	)
	return db
}

func (o *options) create(cmd *cobra.Command, args []string) error {
	if o.dryRun {
		return nil
	}
	return o.client.Create(cmd.Context(), &corev1.Secret{})
}

func (o *options) drop(cmd *cobra.Command, args []string) error {
	return o.client.Delete(cmd.Context(), &corev1.Secret{}) // want "dry run deletes a Secret"
}

func cache(c client.Client) *cobra.Command {
	return &cobra.Command{Use: "cache", RunE: func(cmd *cobra.Command, args []string) error {
		return c.Delete(cmd.Context(), &corev1.ConfigMap{})
	}}
}
