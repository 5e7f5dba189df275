// Command channels has workers that get their work through channels.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var (
	c      client.Client
	dryRun = flag.Bool("dry-run", false, "change nothing")
)

type worker struct{ queue chan string }

// remove gets nothing in a dry run.
func (w *worker) remove(ctx context.Context) {
	for range w.queue {
		_ = c.Delete(ctx, &corev1.Pod{})
	}
}

// label gets the same names in a dry run.
func label(ctx context.Context, names <-chan string) {
	for range names {
		_ = c.Update(ctx, &corev1.Node{}) // want "dry run updates a Node"
	}
}

// create gets some of its names in a dry run.
func create(ctx context.Context, names <-chan string) {
	for range names {
		_ = c.Create(ctx, &corev1.Secret{}) // want "dry run creates a Secret"
	}
}

// mode is the mode of the program.
type mode int

const (
	apply mode = iota
	plan
)

func current() mode {
	if *dryRun {
		return plan
	}
	return apply
}

func main() {
	flag.Parse()
	ctx := context.Background()
	w := &worker{queue: make(chan string)}
	labels, secrets := make(chan string), make(chan string)
	go w.remove(ctx)
	go label(ctx, labels)
	go create(ctx, secrets)
	secrets <- "first"
	for _, n := range flag.Args() {
		labels <- n
		if *dryRun {
			continue
		}
		w.queue <- n
		secrets <- n
	}
	switch current() {
	case apply:
		_ = c.Create(ctx, &corev1.Namespace{})
	case plan:
		println("would create a namespace")
	}
}
