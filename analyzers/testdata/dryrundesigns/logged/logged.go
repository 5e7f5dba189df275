// Command logged accepts the flag, but only prints it.
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
	flag.StringVar(&o.namespace, "namespace", "default", "where")
	flag.BoolVar(&o.dryRun, "dry-run", false, "change nothing")
	flag.Parse()
	println("dry run:", o.dryRun)
	var c client.Client
	if err := run(context.Background(), c, o); err != nil {
		panic(err)
	}
}

func run(ctx context.Context, c client.Client, o options) error {
	return c.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(o.namespace)) // want "dry run deletes every matching Pod"
}
