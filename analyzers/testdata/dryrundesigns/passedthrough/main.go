// Command passedthrough changes each of its commands by a function that returns it.
package main

import (
	"context"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

var clientset kubernetes.Interface

func hideHelp(cmd *cobra.Command) *cobra.Command {
	cmd.SilenceUsage = true
	return cmd
}

type storage struct{ dryRun bool }

func newStorage() *cobra.Command {
	s := &storage{}
	cmd := &cobra.Command{
		Use: "storage",
		RunE: func(*cobra.Command, []string) error {
			if s.dryRun {
				println("would delete")
			}
			return clientset.CoreV1().Secrets("a").Delete(context.Background(), "a", metav1.DeleteOptions{}) // want "ignores s.dryRun .*, so a dry run deletes a Secret"
		},
	}
	cmd = hideHelp(cmd)
	cmd.Flags().BoolVar(&s.dryRun, "dry-run", false, "change nothing")
	return cmd
}

// newRemove has no flag for a dry run.
func newRemove() *cobra.Command {
	cmd := &cobra.Command{
		Use: "remove",
		RunE: func(*cobra.Command, []string) error {
			return clientset.CoreV1().Pods("a").Delete(context.Background(), "a", metav1.DeleteOptions{})
		},
	}
	cmd = hideHelp(cmd)
	return cmd
}

func main() {
	root := hideHelp(&cobra.Command{Use: "shop"})
	root.AddCommand(newStorage(), newRemove())
	_ = root.Execute()
}
