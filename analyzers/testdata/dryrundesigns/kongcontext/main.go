// Command kongcontext passes its commands a struct with a client.
package main

import (
	"context"

	"github.com/alecthomas/kong"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type app struct {
	Debug bool

	Scale scaleCmd `cmd:""`
	Drop  dropCmd  `cmd:""`
}

type scaleCmd struct {
	DryRun   bool `help:"Change nothing."`
	Replicas int
}

type dropCmd struct {
	DryRun bool `help:"Change nothing."`
	Force  bool
}

type clients struct{ kube client.Client }

func (s *scaleCmd) Run(c *clients) error {
	pod := &corev1.Pod{}
	if s.DryRun {
		println("would scale to", s.Replicas)
		return nil
	}
	return c.kube.Update(context.Background(), pod)
}

func (d *dropCmd) Run(c *clients) error {
	if d.Force {
		if err := c.kube.Delete(context.Background(), &corev1.Secret{}); err != nil { // want "dry run deletes a Secret"
			return err
		}
	}
	if d.DryRun {
		return nil
	}
	return c.kube.Delete(context.Background(), &corev1.Pod{})
}

func main() {
	var a app
	ctx := kong.Parse(&a)
	ctx.FatalIfErrorf(ctx.Run(&clients{}))
}
