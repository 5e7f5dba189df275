// Package branch has commands and flags in variables. Persistent flags are also
// for subcommands, and other flags are for one command.
package branch

import (
	"context"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	clusterTry bool
	pruneTry   bool
	kube       client.Client
)

var rootCmd = &cobra.Command{Use: "tool"}

var clusterCmd = &cobra.Command{Use: "cluster"}

var joinCmd = &cobra.Command{Use: "join", RunE: join}

func join(cmd *cobra.Command, args []string) error {
	if err := kube.Create(cmd.Context(), &corev1.Node{}); err != nil { // want `the write ignores clusterTry \(--dry-run\), so a dry run creates a Node`
		return err
	}
	if clusterTry {
		return nil
	}
	return kube.Update(cmd.Context(), &corev1.Node{})
}

var labelCmd = &cobra.Command{
	Use: "label",
	RunE: func(cmd *cobra.Command, args []string) error {
		return kube.Update(cmd.Context(), &corev1.Node{})
	},
}

var pruneCmd = &cobra.Command{
	Use: "prune",
	RunE: func(cmd *cobra.Command, args []string) error {
		if err := collect(cmd.Context()); err != nil {
			return err
		}
		if pruneTry {
			return nil
		}
		return kube.Delete(cmd.Context(), &corev1.Pod{})
	},
}

func collect(ctx context.Context) error {
	return kube.Delete(ctx, &corev1.Secret{}) // want `the write ignores pruneTry \(--dry-run\), so a dry run deletes a Secret`
}

var dropCmd = &cobra.Command{
	Use: "drop",
	RunE: func(cmd *cobra.Command, args []string) error {
		wish, err := cmd.Flags().GetBool("dry-run")
		if err != nil {
			return err
		}
		if err := drop(cmd.Context()); err != nil {
			return err
		}
		if wish {
			return nil
		}
		return kube.Delete(cmd.Context(), &corev1.Pod{})
	},
}

func drop(ctx context.Context) error {
	return kube.Delete(ctx, &corev1.ConfigMap{}) // want `the write does not get --dry-run from a function literal, so a dry run deletes a ConfigMap`
}

func init() {
	pruneCmd.Flags().BoolVar(&pruneTry, "dry-run", false, "")
	clusterCmd.PersistentFlags().BoolVar(&clusterTry, "dry-run", false, "")
	clusterCmd.AddCommand(joinCmd)
	dropCmd.Flags().Bool("dry-run", false, "")
	rootCmd.AddCommand(dropCmd, pruneCmd, clusterCmd, labelCmd)
}

// Execute runs the program.
func Execute() error { return rootCmd.Execute() }
