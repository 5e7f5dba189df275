// Package dropped has constructors that store the dry run, and methods that do not read it.
package dropped

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Labeler struct {
	c      client.Client
	dryRun bool
}

func NewLabeler(c client.Client, dryRun bool) *Labeler { return &Labeler{c: c, dryRun: dryRun} }

func (l *Labeler) Label(ctx context.Context, node *corev1.Node) error {
	node.Labels["a"] = "b"
	return l.c.Update(ctx, node) // want "dry run updates a Node"
}

// Quiet stores the dry run, and a client that depends on it.
type Quiet struct {
	c      client.Client
	dryRun bool
}

func NewQuiet(c client.Client, dryRun bool) *Quiet {
	if dryRun {
		c = client.NewDryRunClient(c)
	}
	return &Quiet{c: c, dryRun: dryRun}
}

func (q *Quiet) Delete(ctx context.Context) error { return q.c.Delete(ctx, &corev1.Pod{}) }

// Reader writes nothing.
type Reader struct {
	c      client.Client
	dryRun bool
}

func NewReader(c client.Client, dryRun bool) *Reader { return &Reader{c: c, dryRun: dryRun} }

func (r *Reader) Read(ctx context.Context) error { return r.c.List(ctx, &corev1.PodList{}) }
