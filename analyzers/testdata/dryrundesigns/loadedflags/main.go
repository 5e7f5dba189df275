// Command loadedflags loads its flags into a struct.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/loadedflags/platform"
	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func getPlatform(cmd *cobra.Command) *platform.Platform {
	return &platform.Platform{Config: getConfig(cmd)}
}

func getConfig(cmd *cobra.Command) platform.Config {
	dryRun, _ := cmd.Flags().GetBool("dry-run")
	name, _ := cmd.Flags().GetString("name")
	return platform.Config{Name: name, DryRun: dryRun}
}

var cleanup = &cobra.Command{
	Use: "cleanup",
	RunE: func(cmd *cobra.Command, args []string) error {
		p := getPlatform(cmd)
		cs, err := p.Clientset()
		if err != nil {
			return err
		}
		return cs.CoreV1().Pods("a").Delete(cmd.Context(), "a", metav1.DeleteOptions{}) // want "the write ignores Platform.DryRun .*, so a dry run deletes a Pod"
	},
}

var workers = &cobra.Command{
	Use: "workers",
	RunE: func(cmd *cobra.Command, args []string) error {
		p := getPlatform(cmd)
		cs, err := p.Clientset()
		if err != nil {
			return err
		}
		for _, name := range args {
			go func() {
				_ = cs.CoreV1().Pods("a").Delete(context.Background(), name, metav1.DeleteOptions{}) // want "the write ignores Platform.DryRun .*, so a dry run deletes a Pod"
			}()
		}
		return nil
	},
}

var apply = &cobra.Command{
	Use:  "apply",
	RunE: func(cmd *cobra.Command, args []string) error { return getPlatform(cmd).Apply(cmd.Context()) },
}

var checked = &cobra.Command{
	Use: "checked",
	RunE: func(cmd *cobra.Command, args []string) error {
		p := getPlatform(cmd)
		if p.DryRun {
			return nil
		}
		cs, err := p.Clientset()
		if err != nil {
			return err
		}
		return cs.CoreV1().Pods("a").Delete(cmd.Context(), "a", metav1.DeleteOptions{})
	},
}

var quiet = &cobra.Command{
	Use: "quiet",
	RunE: func(cmd *cobra.Command, args []string) error {
		return getPlatform(cmd).Quiet().CoreV1().Pods("a").Delete(cmd.Context(), "a", metav1.DeleteOptions{})
	},
}

var handed = &cobra.Command{
	Use:  "handed",
	RunE: func(cmd *cobra.Command, args []string) error { return remove(cmd.Context(), getPlatform(cmd)) },
}

func remove(ctx context.Context, p *platform.Platform) error {
	if p.DryRun {
		return nil
	}
	cs, err := p.Clientset()
	if err != nil {
		return err
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "a", metav1.DeleteOptions{})
}

func main() {
	root := &cobra.Command{Use: "shop"}
	root.PersistentFlags().Bool("dry-run", false, "change nothing")
	root.AddCommand(cleanup, workers, apply, checked, quiet, handed)
	_ = root.Execute()
}
