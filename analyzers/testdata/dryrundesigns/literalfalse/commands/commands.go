// Package commands has one command with the flag and one without it.
package commands

import (
	"context"

	"example.org/clients/dryrundesigns/literalfalse/cleaner"
	"github.com/spf13/cobra"
	"k8s.io/client-go/kubernetes"
)

func New(cs kubernetes.Interface) *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	root.AddCommand(newPrune(cs), newDrop(cs))
	return root
}

func newPrune(cs kubernetes.Interface) *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use: "prune",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := clean(cmd.Context(), cs, dryRun); err != nil {
				return err
			}
			return cleaner.Secrets(cmd.Context(), cs, "last", false) // want "passes false instead of dryRun \\(--dry-run\\) for the parameter dryRun, so a dry run deletes a Secret"
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
	return cmd
}

func newDrop(cs kubernetes.Interface) *cobra.Command {
	return &cobra.Command{
		Use:  "drop",
		RunE: func(cmd *cobra.Command, args []string) error { return clean(cmd.Context(), cs, false) },
	}
}

func clean(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	return cleaner.Secrets(ctx, cs, "token", dryRun)
}
