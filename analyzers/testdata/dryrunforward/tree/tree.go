// Package tree has commands and flags in variables. A flag of the root command is
// for all commands.
package tree

import (
	"context"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	dryRun bool
	kube   client.Client
)

var rootCmd = &cobra.Command{Use: "tool"}

var applyCmd = &cobra.Command{
	Use: "apply",
	RunE: func(cmd *cobra.Command, args []string) error {
		if err := kube.Create(cmd.Context(), &corev1.Namespace{}); err != nil { // want `the write ignores dryRun \(--dry-run\), so a dry run creates a Namespace`
			return err
		}
		if dryRun {
			return nil
		}
		return kube.Create(cmd.Context(), &corev1.ConfigMap{})
	},
}

var pruneCmd = &cobra.Command{Use: "prune", RunE: prune}

func prune(cmd *cobra.Command, args []string) error {
	return collect(cmd.Context())
}

func collect(ctx context.Context) error {
	return kube.Delete(ctx, &corev1.Secret{}) // want `the write ignores dryRun \(--dry-run\), so a dry run deletes a Secret`
}

func init() {
	rootCmd.PersistentFlags().BoolVar(&dryRun, "dry-run", false, "")
	rootCmd.AddCommand(applyCmd, pruneCmd)
}

// Execute runs the program.
func Execute() error { return rootCmd.Execute() }
