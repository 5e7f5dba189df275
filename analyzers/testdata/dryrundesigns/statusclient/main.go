// Command statusclient has a client for dry runs, whose parts may be those of the real client.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// readOnly writes nothing, but its status writer does.
type readOnly struct{ client.Client }

func (readOnly) Update(ctx context.Context, o client.Object, opts ...client.UpdateOption) error {
	return nil
}

func (r readOnly) Status() client.SubResourceWriter { return r.Client.Status() }

// quiet writes nothing.
type quiet struct{ client.Client }

func (quiet) Update(ctx context.Context, o client.Object, opts ...client.UpdateOption) error {
	return nil
}

func (q quiet) Status() client.SubResourceWriter { return quietStatus{q.Client.Status()} }

type quietStatus struct{ client.SubResourceWriter }

func (quietStatus) Update(ctx context.Context, o client.Object, opts ...client.SubResourceUpdateOption) error {
	return nil
}

func main() {
	dry := flag.Bool("dry-run", false, "change nothing")
	flag.Parse()
	var c, other client.Client
	if *dry {
		c = readOnly{c}
		other = quiet{other}
	}
	ctx := context.Background()
	_ = c.Update(ctx, &corev1.Pod{})
	_ = c.Status().Update(ctx, &corev1.Pod{}) // want "the write ignores --dry-run, so a dry run updates the status of a Pod"
	_ = other.Update(ctx, &corev1.Pod{})
	_ = other.Status().Update(ctx, &corev1.Pod{})
	_ = other.SubResource("scale").Update(ctx, &corev1.Pod{}) // want "dry run updates"
}
