// Command kongbind passes a client to its commands. Only one of them checks the dry run.
package main

import (
	"context"

	"github.com/alecthomas/kong"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var cli struct {
	DryRun bool `help:"Change nothing."`

	Apply  applyCmd  `cmd:"" help:"Create."`
	Remove removeCmd `cmd:"" help:"Delete."`
	Show   showCmd   `cmd:"" help:"List."`
}

type applyCmd struct{}

func (a *applyCmd) Run(c client.Client) error {
	if cli.DryRun {
		return nil
	}
	return c.Create(context.Background(), &corev1.Pod{})
}

type removeCmd struct{ Name string }

func (r *removeCmd) Run(c client.Client) error {
	return c.Delete(context.Background(), &corev1.Pod{}) // want "dry run deletes a Pod"
}

type showCmd struct{}

func (s *showCmd) Run(c client.Client) error {
	return c.List(context.Background(), &corev1.PodList{})
}

func main() {
	var c client.Client
	ctx := kong.Parse(&cli)
	ctx.FatalIfErrorf(ctx.Run(c))
}
