// Command subcommands creates its flag sets in main and passes on the values of the flags.
package main

import (
	"context"
	"flag"
	"os"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type command struct {
	flags *flag.FlagSet
	run   func(ctx context.Context, c client.Client) error
}

type removal struct {
	dryRun bool
	name   string
}

func newApply() *command {
	flags := flag.NewFlagSet("apply", flag.ExitOnError)
	dryRun := flags.Bool("dry-run", false, "change nothing")
	return &command{flags, func(ctx context.Context, c client.Client) error {
		if *dryRun {
			return nil
		}
		return c.Create(ctx, &corev1.Pod{})
	}}
}

func newRemove() *command {
	r := &removal{}
	flags := flag.NewFlagSet("remove", flag.ExitOnError)
	flags.BoolVar(&r.dryRun, "dry-run", false, "change nothing")
	flags.StringVar(&r.name, "name", "", "what to remove")
	return &command{flags, r.run}
}

func (r *removal) run(ctx context.Context, c client.Client) error {
	return c.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}

func newLabel() *command {
	flags := flag.NewFlagSet("label", flag.ExitOnError)
	return &command{flags, func(ctx context.Context, c client.Client) error {
		return c.Update(ctx, &corev1.Pod{})
	}}
}

func main() {
	var c client.Client
	commands := map[string]*command{"apply": newApply(), "remove": newRemove(), "label": newLabel()}
	cmd := commands[os.Args[1]]
	_ = cmd.flags.Parse(os.Args[2:])
	if err := cmd.run(context.Background(), c); err != nil {
		panic(err)
	}
}
