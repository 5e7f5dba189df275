// Package apply has a command that respects the flag.
package apply

import (
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"

	"example.org/clients/dryrunforward/persistent/options"
)

// NewCmd returns the command.
func NewCmd(o *options.Options) *cobra.Command {
	return &cobra.Command{
		Use: "apply",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.DryRun {
				return nil
			}
			return o.Client.Create(cmd.Context(), &corev1.ConfigMap{})
		},
	}
}
