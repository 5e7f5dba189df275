// Package prune has a command that does not use the flag.
package prune

import (
	"context"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"

	"example.org/clients/dryrunforward/persistent/options"
)

type command struct {
	options *options.Options
	name    string
}

// NewCmd returns the command.
func NewCmd(o *options.Options) *cobra.Command {
	c := &command{options: o}
	return &cobra.Command{
		Use: "prune",
		RunE: func(cmd *cobra.Command, args []string) error {
			c.name = options.Name(o)
			return c.run(cmd.Context())
		},
	}
}

func (c *command) run(ctx context.Context) error {
	return c.options.Client.Delete(ctx, &corev1.Secret{})
}
