// Package restart never checks the flag.
package restart

import (
	"context"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"

	"example.org/clients/dryrundesigns/commandpackages/options"
)

func New(o *options.Options) *cobra.Command {
	return &cobra.Command{Use: "restart", RunE: func(cmd *cobra.Command, args []string) error {
		return annotate(cmd.Context(), o)
	}}
}

func annotate(ctx context.Context, o *options.Options) error {
	return o.Client.Update(ctx, &corev1.Pod{})
}
