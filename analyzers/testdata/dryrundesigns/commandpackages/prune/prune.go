// Package prune respects the flag.
package prune

import (
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"

	"example.org/clients/dryrundesigns/commandpackages/options"
)

func New(o *options.Options) *cobra.Command {
	return &cobra.Command{Use: "prune", RunE: func(cmd *cobra.Command, args []string) error {
		if o.DryRun {
			return nil
		}
		return o.Client.Delete(cmd.Context(), &corev1.Secret{})
	}}
}
