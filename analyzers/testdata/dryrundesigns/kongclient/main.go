// Command kongclient passes its commands a client that depends on the flag.
package main

import (
	"context"

	"github.com/alecthomas/kong"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type app struct {
	DryRun bool `help:"Change nothing."`

	Apply  applyCmd  `cmd:"" help:"Create."`
	Remove removeCmd `cmd:"" help:"Delete."`
}

type applyCmd struct{}

func (a *applyCmd) Run(c client.Client) error {
	return c.Create(context.Background(), &corev1.Pod{})
}

type removeCmd struct{}

func (r *removeCmd) Run(c client.Client) error {
	return c.Delete(context.Background(), &corev1.Pod{})
}

func main() {
	var a app
	ctx := kong.Parse(&a)
	var c client.Client
	if a.DryRun {
		c = client.NewDryRunClient(c)
	}
	ctx.FatalIfErrorf(ctx.Run(c))
}
