// Command urfave has a flag for all commands, and a flag for one command.
package main

import (
	"context"
	"os"

	"github.com/urfave/cli/v2"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var kube client.Client

func main() {
	app := &cli.App{
		Name:  "tool",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "dry-run", Usage: "change nothing"}},
		Commands: []*cli.Command{
			{Name: "apply", Action: apply},
			{Name: "remove", Action: remove},
			{Name: "show", Action: show},
		},
	}
	_ = app.Run(os.Args)
	other := &cli.App{
		Name: "other",
		Commands: []*cli.Command{
			{Name: "patch", Action: patch, Flags: []cli.Flag{&cli.BoolFlag{Name: "dry-run"}}},
			{Name: "purge", Action: purge},
		},
	}
	_ = other.Run(os.Args)
}

func apply(c *cli.Context) error {
	if c.Bool("dry-run") {
		return nil
	}
	return kube.Create(c.Context, &corev1.Pod{})
}

func remove(c *cli.Context) error {
	return drop(c.Context)
}

func drop(ctx context.Context) error {
	return kube.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}

func show(c *cli.Context) error { return kube.List(c.Context, &corev1.PodList{}) }

func patch(c *cli.Context) error {
	if c.Bool("dry-run") {
		return nil
	}
	return kube.Update(c.Context, &corev1.Node{})
}

func purge(c *cli.Context) error { return kube.DeleteAllOf(c.Context, &corev1.Node{}) }
