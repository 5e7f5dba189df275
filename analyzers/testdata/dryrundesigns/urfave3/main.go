// Command urfave3 has a flag for all commands.
package main

import (
	"context"
	"os"

	"github.com/urfave/cli/v3"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type tool struct{ kube client.Client }

func main() {
	t := &tool{}
	cmd := &cli.Command{
		Name:  "tool",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "dry-run", Usage: "change nothing"}},
		Commands: []*cli.Command{
			t.applyCommand(),
			{Name: "remove", Action: t.remove},
			{Name: "clean", Action: func(ctx context.Context, cmd *cli.Command) error { return t.clean(ctx, cmd.Bool("dry-run")) }},
		},
	}
	_ = cmd.Run(context.Background(), os.Args)
}

func (t *tool) applyCommand() *cli.Command {
	return &cli.Command{Name: "apply", Action: func(ctx context.Context, cmd *cli.Command) error {
		if cmd.Bool("dry-run") {
			return nil
		}
		return t.kube.Create(ctx, &corev1.Pod{})
	}}
}

func (t *tool) remove(ctx context.Context, cmd *cli.Command) error {
	return t.kube.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}

func (t *tool) clean(ctx context.Context, dryRun bool) error {
	if err := t.kube.DeleteAllOf(ctx, &corev1.Secret{}); err != nil { // want "dry run deletes every matching Secret"
		return err
	}
	if dryRun {
		return nil
	}
	return t.kube.DeleteAllOf(ctx, &corev1.Pod{})
}
