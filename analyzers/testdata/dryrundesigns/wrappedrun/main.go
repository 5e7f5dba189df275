// Command wrappedrun wraps the functions of its commands.
package main

import (
	"context"

	"example.org/clients/dryrundesigns/wrappedrun/output"
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type options struct{ dryRun bool }

var c client.Client

func newSuspend() *cobra.Command {
	opts := &options{}
	cmd := &cobra.Command{
		Use: "suspend",
		RunE: output.WrapRunE(func(ctx context.Context, args []string) error {
			return suspend(ctx, opts, args[0])
		}),
	}
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "change nothing")
	return cmd
}

func suspend(ctx context.Context, opts *options, name string) error {
	pod := &corev1.Pod{}
	pod.Name = name
	return c.Update(ctx, pod) // want "the write ignores opts.dryRun .*, so a dry run updates a Pod"
}

func newResume() *cobra.Command {
	opts := &options{}
	cmd := &cobra.Command{Use: "resume", RunE: local(func(args []string) error { return resume(opts, args[0]) })}
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "change nothing")
	return cmd
}

func local(run func(args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error { return run(args) }
}

func resume(opts *options, name string) error {
	if opts.dryRun {
		return nil
	}
	return c.Update(context.Background(), &corev1.Pod{})
}

func newCheck() *cobra.Command {
	return &cobra.Command{Use: "check", RunE: local(func([]string) error { return c.Update(context.Background(), &corev1.Secret{}) })}
}

func main() {
	root := &cobra.Command{Use: "shop"}
	root.AddCommand(newSuspend(), newResume(), newCheck())
	_ = root.Execute()
}
