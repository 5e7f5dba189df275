// Package queue passes tasks to workers.
package queue

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type task struct{ kind string }

type Worker struct {
	c      client.Client
	dryRun bool
	tasks  chan task
}

func New(c client.Client, dryRun bool) *Worker {
	w := &Worker{c: c, dryRun: dryRun, tasks: make(chan task, 8)}
	go w.loop(context.Background())
	return w
}

func (w *Worker) Add(kind string) { w.tasks <- task{kind} }

func (w *Worker) loop(ctx context.Context) {
	for t := range w.tasks {
		switch t.kind {
		case "pod":
			w.pod(ctx)
		case "secret":
			w.secret(ctx)
		}
	}
}

func (w *Worker) pod(ctx context.Context) {
	if w.dryRun {
		return
	}
	_ = w.c.Delete(ctx, &corev1.Pod{})
}

func (w *Worker) secret(ctx context.Context) {
	_ = w.c.Delete(ctx, &corev1.Secret{}) // want "dry run deletes a Secret"
}
