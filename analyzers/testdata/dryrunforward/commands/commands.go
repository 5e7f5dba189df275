// Package commands has the flag of one command in a package variable. The flag
// does not apply to the other commands.
package commands

import (
	"context"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	dryRun bool
	force  bool
)

func newRootCommand(c client.Client) *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	root.AddCommand(newEnableCommand(c), newDisableCommand(c), newUpgradeCommand(c))
	return root
}

func newEnableCommand(c client.Client) *cobra.Command {
	cmd := &cobra.Command{
		Use: "enable",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := prepare(cmd.Context(), c); err != nil {
				return err
			}
			if dryRun {
				return nil
			}
			return enable(cmd.Context(), c)
		},
	}
	cmd.Flags().BoolVarP(&dryRun, "dry-run", "", false, "only print")
	addForce(cmd)
	return cmd
}

func addForce(cmd *cobra.Command) { cmd.Flags().BoolVar(&force, "force", false, "") }

func newDisableCommand(c client.Client) *cobra.Command {
	cmd := &cobra.Command{
		Use: "disable",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := enable(cmd.Context(), c); err != nil {
				return err
			}
			return c.Delete(cmd.Context(), &corev1.Namespace{})
		},
	}
	addForce(cmd)
	return cmd
}

// This command reads the variable, but has no flag that sets it.
func newUpgradeCommand(c client.Client) *cobra.Command {
	return &cobra.Command{
		Use: "upgrade",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := upgrade(cmd.Context(), c); err != nil {
				return err
			}
			if dryRun {
				return nil
			}
			return c.Delete(cmd.Context(), &corev1.Namespace{})
		},
	}
}

func upgrade(ctx context.Context, c client.Client) error {
	return c.Update(ctx, &corev1.Namespace{})
}

func prepare(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &corev1.Namespace{}) // want `the write ignores dryRun \(--dry-run\), so a dry run creates a Namespace`
}

func enable(ctx context.Context, c client.Client) error {
	return c.Update(ctx, &corev1.ConfigMap{})
}
