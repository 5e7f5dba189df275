// Package commands has commands that load the settings, and one without.
package commands

import (
	"example.org/clients/dryrundesigns/forgotten/config"
	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

var (
	path string
	cs   kubernetes.Interface
	root = &cobra.Command{Use: "janitor"}
)

func init() {
	root.PersistentFlags().StringVar(&path, "config", "", "settings")
	root.AddCommand(sweep, unseal)
}

func Execute() error { return root.Execute() }

var sweep = &cobra.Command{Use: "sweep", RunE: func(cmd *cobra.Command, args []string) error {
	cfg, err := config.Load(path)
	if err != nil {
		return err
	}
	return cs.CoreV1().Pods(cfg.Namespace).Delete(cmd.Context(), "a", metav1.DeleteOptions{}) // want "the write ignores Config.DryRun, so a dry run deletes a Pod"
}}

var unseal = &cobra.Command{Use: "unseal", RunE: func(cmd *cobra.Command, args []string) error {
	return cs.CoreV1().Secrets("a").Delete(cmd.Context(), "a", metav1.DeleteOptions{})
}}
