// Package settings looks up the dry run by its name.
package settings

import (
	"github.com/spf13/cobra"
	"github.com/spf13/viper"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func New(c client.Client) *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	root.PersistentFlags().Bool("dry-run", false, "change nothing")
	_ = viper.BindPFlag("dry-run", root.PersistentFlags().Lookup("dry-run"))
	root.AddCommand(
		&cobra.Command{Use: "apply", RunE: func(cmd *cobra.Command, args []string) error {
			if viper.GetBool("dry-run") {
				return nil
			}
			return c.Create(cmd.Context(), &corev1.Pod{})
		}},
		&cobra.Command{Use: "remove", RunE: func(cmd *cobra.Command, args []string) error {
			return c.Delete(cmd.Context(), &corev1.Pod{}) // want "dry run deletes a Pod"
		}},
	)
	return root
}
