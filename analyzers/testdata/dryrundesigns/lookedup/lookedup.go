// Package lookedup has a flag for all commands. Each command looks up the flag.
package lookedup

import (
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func New(c client.Client) *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	root.PersistentFlags().Bool("dry-run", false, "change nothing")
	root.AddCommand(apply(c), remove(c), list(c), versions())
	return root
}

func apply(c client.Client) *cobra.Command {
	return &cobra.Command{Use: "apply", RunE: func(cmd *cobra.Command, args []string) error {
		if dry, _ := cmd.Flags().GetBool("dry-run"); dry {
			return nil
		}
		return c.Create(cmd.Context(), &corev1.Pod{})
	}}
}

func remove(c client.Client) *cobra.Command {
	return &cobra.Command{Use: "remove", RunE: func(cmd *cobra.Command, args []string) error {
		return c.Delete(cmd.Context(), &corev1.Pod{}) // want "dry run deletes a Pod"
	}}
}

func list(c client.Client) *cobra.Command {
	return &cobra.Command{Use: "list", RunE: func(cmd *cobra.Command, args []string) error {
		return c.List(cmd.Context(), &corev1.PodList{})
	}}
}

func versions() *cobra.Command { return &cobra.Command{Use: "version"} }
