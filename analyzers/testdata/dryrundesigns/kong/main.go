// Command kong uses a library that sets fields from flags and runs methods as
// commands.
package main

import (
	"context"

	"github.com/alecthomas/kong"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type globals struct {
	DryRun bool `name:"dry-run" help:"Change nothing."`
	kube   client.Client
}

var cli struct {
	globals

	Apply  applyCmd  `cmd:"" help:"Create."`
	Remove removeCmd `cmd:"" help:"Delete."`
	Prune  pruneCmd  `cmd:"" help:"Delete what is old."`
}

type applyCmd struct{}

func (a *applyCmd) Run(g *globals) error {
	if g.DryRun {
		return nil
	}
	return g.kube.Create(context.Background(), &corev1.Pod{})
}

type removeCmd struct{ Name string }

func (r *removeCmd) Run(g *globals) error {
	return g.kube.Delete(context.Background(), &corev1.Pod{}) // want "dry run deletes a Pod"
}

type pruneCmd struct {
	Preview bool `name:"dry-run"`
}

func (p *pruneCmd) Run(g *globals) error {
	if p.Preview {
		return nil
	}
	return g.kube.Delete(context.Background(), &corev1.Secret{})
}

func main() {
	ctx := kong.Parse(&cli)
	ctx.FatalIfErrorf(ctx.Run(&cli.globals))
}
