// Command unreadfield keeps a flag for a dry run in a field, and never reads it.
package main

import (
	"context"
	"flag"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type options struct {
	namespace string
	dryRun    bool
}

func main() {
	var o options
	flag.StringVar(&o.namespace, "namespace", "", "where")
	flag.BoolVar(&o.dryRun, "dry-run", false, "change nothing")
	flag.Parse()
	run(context.Background(), nil, o.namespace)
}

func run(ctx context.Context, c client.Client, namespace string) {
	_ = c.Get(ctx, client.ObjectKey{Namespace: namespace}, &corev1.Pod{})
	_ = c.Delete(ctx, &corev1.Pod{}) // want "dry run deletes a Pod"
}
