// Package prerun checks the flag for all commands before any command runs.
package prerun

import (
	"errors"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var kube client.Client

func New(c client.Client) *cobra.Command {
	root := &cobra.Command{Use: "tool", PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
		kube = c
		if dry, _ := cmd.Flags().GetBool("dry-run"); dry {
			kube = client.NewDryRunClient(c)
		}
		return nil
	}}
	root.PersistentFlags().Bool("dry-run", false, "change nothing")
	root.AddCommand(apply(), remove())
	return root
}

func apply() *cobra.Command {
	return &cobra.Command{Use: "apply", RunE: func(cmd *cobra.Command, args []string) error {
		return kube.Create(cmd.Context(), &corev1.Pod{})
	}}
}

func remove() *cobra.Command {
	return &cobra.Command{Use: "remove", RunE: func(cmd *cobra.Command, args []string) error {
		return kube.Delete(cmd.Context(), &corev1.Pod{})
	}}
}

// Refusing returns an error if a command gets the flag but has no dry run.
func Refusing(c client.Client) *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	root.PersistentFlags().Bool("dry-run", false, "change nothing")
	purge := &cobra.Command{Use: "purge",
		PreRunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("dry-run") {
				return errors.New("purge has no dry run")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.DeleteAllOf(cmd.Context(), &corev1.Pod{})
		}}
	root.AddCommand(purge)
	return root
}
