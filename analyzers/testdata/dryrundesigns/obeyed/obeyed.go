// Package obeyed has commands that respect a flag for all commands, in ways that
// are difficult to recognize.
package obeyed

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	base   client.Client
	shared client.Client
)

func New(c client.Client) *cobra.Command {
	base = c
	root := &cobra.Command{Use: "tool"}
	root.PersistentFlags().Bool("dry-run", false, "change nothing")
	root.AddCommand(
		&cobra.Command{Use: "made", RunE: func(cmd *cobra.Command, args []string) error {
			return kube().Delete(cmd.Context(), &corev1.Pod{})
		}},
		&cobra.Command{Use: "text", RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flag("dry-run").Value.String() == "true" {
				return nil
			}
			return c.Delete(cmd.Context(), &corev1.Pod{})
		}},
		&cobra.Command{Use: "root", RunE: func(cmd *cobra.Command, args []string) error {
			dry, err := cmd.Root().PersistentFlags().GetBool("dry-run")
			if err != nil || dry {
				return err
			}
			return c.Delete(cmd.Context(), &corev1.Pod{})
		}},
		&cobra.Command{Use: "settings", RunE: func(cmd *cobra.Command, args []string) error {
			s := load(cmd)
			if !s.really {
				return nil
			}
			return c.Delete(cmd.Context(), &corev1.Pod{})
		}},
		&cobra.Command{Use: "scoped", RunE: func(cmd *cobra.Command, args []string) error {
			return step(cmd.Context(), scope{c: wrapped(cmd, c)})
		}},
	)
	return root
}

func kube() client.Client {
	if viper.GetBool("dry-run") {
		return client.NewDryRunClient(base)
	}
	return base
}

type settings struct{ really bool }

func load(cmd *cobra.Command) settings {
	dry, _ := cmd.Flags().GetBool("dry-run")
	return settings{really: !dry}
}

type scope struct{ c client.Client }

func wrapped(cmd *cobra.Command, c client.Client) client.Client {
	if dry, _ := cmd.Flags().GetBool("dry-run"); dry {
		return client.NewDryRunClient(c)
	}
	return c
}

func step(ctx context.Context, s scope) error { return s.c.Delete(ctx, &corev1.Pod{}) }

// Before uses a client from a function that runs before all commands.
func Before(c client.Client) *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	dryRun := root.PersistentFlags().Bool("dry-run", false, "change nothing")
	cobra.OnInitialize(func() {
		shared = c
		if *dryRun {
			shared = client.NewDryRunClient(c)
		}
	})
	root.AddCommand(&cobra.Command{Use: "purge", RunE: func(cmd *cobra.Command, args []string) error {
		return shared.Delete(cmd.Context(), &corev1.Pod{})
	}})
	return root
}
